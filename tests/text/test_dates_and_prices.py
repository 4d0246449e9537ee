"""Dates and prices in many languages and currencies, and figures that are neither."""

from __future__ import annotations

import pytest

from scrapy_blockfilter.html.columns import FIGURES
from scrapy_blockfilter.text.dates_and_prices import DATED, LONGEST, PRICED, meaning_of_figures
from tests.support.pages import segmented
from tests.support.work import ends


@pytest.mark.parametrize(
    "text",
    [
        # A day and a month, in the languages of the corpus, with the month as it is or as it is shortened.
        *("12 March 2009", "March 12, 2009", "12th March", "Mar 12", "Sept. 5", "May 5", "12 MARCH"),
        *("3. März", "12. Dez.", "15. Jänner 2021", "3 mars", "1er février", "14 maggio", "12 de octubre"),
        *("7 de março", "5 mei", "3 februari", "12 maj", "2. helmikuuta", "5. kesäkuuta", "25 desember"),
        *("20 października", "12 června", "5. augusta", "április 5.", "1 aprilie", "2. lipnja", "5. detsember"),
        *("15 Ağustos", "tháng 3", "5 Maret", "12 марта", "3 травня", "5. фебруар", "10 Μαΐου", "12 يناير"),
        *("3 ינואר", "5 dets", "3 birželio", "5. augusts", "५ सितंबर", "12 กุมภาพันธ์", "3 جنوری", "5 fevral"),
        # A year by itself.
        *("1998", "Posted in 2014", "(2020)", "© 2020 Example", "2019-2021", "٢٠٢٠", "१२ जनवरी २०२४"),
        # A time.
        *("10:45", "at 10:45 PM", "12:30:45", "Today, 9:05"),
        # Figures in threes.
        *("12/03/2009", "12.3.09", "12-3-09", "2009-03-12", "2009/3/12", "2019-12-05T10:45:00Z", "Fr.12.04.2020"),
        # With the words for year, month and day.
        *("2009年3月12日", "3月12日", "2009년 3월 12일"),
    ],
)
def test_a_date_has_a_month_a_year_or_a_time(text: str) -> None:
    assert meaning_of_figures(text) == DATED


@pytest.mark.parametrize(
    "text",
    [
        *("$19.99", "$ 19.99", "19.99 $", "US$ 5", "A$5", "from £12", "£1.2m", "19,99 €", "€19,99", "19€99"),
        *("EUR 19.99", "19.99 eur", "5 USD", "GBP 12", "CHF 12.50", "12.50 CHF", "1.299,– €", "5 €/kg"),
        *("¥1200", "1200円", "1,200元", "12.000원", "₩12,000", "₹ 499", "Rs. 499", "Rs 499", "₺50", "50 TL"),
        *("499 kr", "kr 499", "499 kr.", "49 zł", "1 299 Kč", "1.299,- Kč", "12 990 Ft", "49 lei", "25 лв"),
        *("1 299 ₽", "990 руб.", "100 грн", "₴100", "฿ 250", "R$ 49,90", "100.000đ", "100.000 ₫", "Rp 100.000"),
        *("RM 15.90", "₪99", "₦5000", "₱500", "250 تومان", "د.إ 50", "ZAR 199", "250 AED", "SAR 30", "5 000 FCFA"),
        *("৳500", "500 টাকা", "₸500", "500 тг", "12 ₾", "₼12", "GH₵ 20", "KSh 500", "S/ 45", "PKR 2,500", "99¢"),
    ],
)
def test_a_price_has_a_currency_beside_its_figures(text: str) -> None:
    assert meaning_of_figures(text) == PRICED


@pytest.mark.parametrize(
    "text",
    [
        *("SKU 48213", "SKU: 48213-20", "No. 5", "ISBN 978-3-16-148410-0", "ISBN 9783161484100", "Model X-48"),
        *("1,204 views", "1204 views", "2,000 views", "12 comments", "3 replies", "(123)", "+1", "1,999"),
        *("v1.2.3", "Version 2.0.1", "10.0.19041.1", "192.168.10.12", "Python 3.12", "CRC 32"),
        *("50%", "100 %", "4.5 out of 5", "8.5/10", "Page 2 of 9", "Chapter 3", "§ 12", "Fig. 3", "Top 10"),
        *("10 km", "1920x1080", "3 bedrooms, 2 baths", "250 g", "1,75 l", "19.50", "2020,5", "1950.00"),
        *("Call 0800 123 456", "+49 30 123456", "555-12-34", "1-800-555-12", "1/2", "24/7", "9-5"),
        # Words of a month's or a currency's letters with others around them, or that mean something else by a number.
        *("3 marches", "5 marching", "5 maybes", "3 sets", "3 set", "5 led", "5 decembers", "xmarch 5"),
        *("3 krill", "12 Europeans", "5 leis", "room 5", "5 trying", "farm 5"),
        *("2 cup flour", "5 kgs", "AMD 5800X", "SDG 13", "DIN 476", "12 Lire la suite", "Euro 24"),
        "12 septemberishlongword",
    ],
)
def test_other_figures_are_neither(text: str) -> None:
    assert meaning_of_figures(text) == 0


def meanings(*texts: str) -> list[int]:
    """As the columns of a page have them."""
    found: list[int] = segmented("".join(f"<p>{text}</p>" for text in texts)).numbers[:, FIGURES].tolist()
    return found


def test_blocks_of_a_page_are_told_by_their_figures_up_to_a_length() -> None:
    date, price = "12 March 2009 ", "$ 19.99 "
    filled = [text.ljust(LONGEST - 1, "x") for text in (date, price)]
    assert meanings(date, price, "1,204 views", *filled) == [DATED, PRICED, 0, DATED, PRICED]
    assert meanings(*(f"{text}x" for text in filled)) == [0, 0]


@pytest.mark.slow
@pytest.mark.parametrize("part", ["a", "1", " ", "1:", "1.", "a1", "a ", "$", "1 de ", "1,", "march", "é1-"])
def test_figures_are_looked_for_in_a_long_text_to_its_end(part: str) -> None:
    with ends():
        meaning_of_figures(part * (500_000 // len(part)))


def test_a_page_of_very_many_figures_is_read_to_its_end() -> None:
    page = "".join(f"<p>{number} {'a1 ' * 25}</p>" for number in range(10_000))
    with ends():
        assert segmented(page).numbers[:, FIGURES].sum() == 100 * DATED  # those from 1950 to 2049
