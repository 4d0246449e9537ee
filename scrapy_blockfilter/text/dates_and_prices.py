"""Recognise dates and prices in short texts.

A date has a month, a year or a time. Prices, article numbers and counts of views are no dates. Otherwise a row of a
shop or a message board would look like a reader's comment.
"""

from __future__ import annotations

import re
from functools import lru_cache

# Longer texts (in characters) may mention a date or a price, but are none.
LONGEST = 90
DATED, PRICED = 1, 2

# Names of months and their usual short forms in lower case, from Unicode's CLDR, in the languages of most web pages.
# Names that are also common words beside a number ("3 set", "5 led") are left out.
_NAMES_OF_MONTHS = """
abr abril agost agosto agu agustus août apr april aprile aprilie aprill apríl apríla aprīlis aralık aug august augusta
augusti augusts augustus augusztus avg avgust avr avril ağu ağustos balandis balandžio birželio birželis bře březen
března cze czerwca czerwiec dec december decembra decembrie decembris desember desembre dets detsember dez dezember
dezembro dic dicembre diciembre dub duben dubna déc décembre ekim elokuu elokuuta enero eyl eylül feb febbraio febr
febrer febrero februar februari februarie february február februára februāris fev fevereiro févr février gegužė
gegužės gener gennaio giu giugno grudnia grudzień gruod gruodis gruodžio haz haziran heinäkuu heinäkuuta helmikuu
helmikuuta huhtikuu huhtikuuta ian ianuarie iul iulie iun iunie jaan jaanuar jan janeiro januar januari january január
januára janv janvier janvāris joulukuu joulukuuta juil juillet juin jul julho juli julij julio juliol july jun june
junho juni junij junio juny juuli juuni júl júla július jún júna június jūl jūlijs jūn jūnijs kasım kesäkuu kesäkuuta
kol kolovoz kolovoza kov kovas kovo kvě květen května kwi kwiecień kwietnia lapkr lapkritis lapkričio leden ledna
liepa liepos lipanj lipca lipiec lipnja listopad listopada listopadu lokakuu lokakuuta lug luglio lutego luty
maaliskuu maaliskuuta maart maggio mai maig maijs maio maj maja mar marca march marec maret marraskuu marraskuuta mars
mart martie marts marzec marzo març março may mayo mayıs mei mrt máj mája május márc március mär märts märz nis nisan
noiembrie nov november novembra novembre novembris novembro noviembre ocak oct october octobre octombrie octubre okt
oktober oktobris oktoober október októbra ott ottobre outubro ožu ožujak ožujka paź październik października prosinac
prosinca prosince prosinec rugpjūtis rugpjūčio rugsėjis rugsėjo rujan rujna saus sausio sausis sep sept september
septembra septembre septembrie septembris septiembre setembre setembro settembre sierpień sierpnia siječanj siječnja
spalio spalis srp srpanj srpen srpna srpnja studeni studenoga styczeń stycznia svibanj svibnja syyskuu syyskuuta szept
szeptember tammikuu tammikuuta temmuz tháng toukokuu toukokuuta travanj travnja vasario vasaris veebr veebruar velj
veljača veljače wrz wrzesień września zář září ápr április úno únor února červen července červenec června čvc čvn říj
říjen října şub şubat απρ απρίλιος απριλίου αυγ αυγούστου αύγ αύγουστος δεκ δεκέμβριος δεκεμβρίου ιαν ιανουάριος
ιανουαρίου ιουλ ιουλίου ιουν ιουνίου ιούλ ιούλιος ιούν ιούνιος μάι μάιος μάρ μάρτιος μαΐ μαΐου μαρ μαρτίου νοέ
νοέμβριος νοε νοεμβρίου οκτ οκτωβρίου οκτώβριος σεπ σεπτέμβριος σεπτεμβρίου φεβ φεβρουάριος φεβρουαρίου авг август
августа апр апрель апреля април бер березень березня вер вересень вересня груд грудень грудня дек декабрь декабря
декември дец децембар жовт жовтень жовтня июл июль июля июн июнь июня квіт квітень квітня лип липень липня лист
листопад листопада лют лютий лютого май мар март марта мая мај нов новембар ное ноември нояб ноябрь ноября окт октобар
октомври октябрь октября сент сентябрь сентября сеп септембар септември серп серпень серпня січ січень січня трав
травень травня феб фебруар фев февр февраль февраля февруари черв червень червня юли юни янв январь января яну януари
јан јануар јул јун אוג אוגוסט אוק אוקטובר אפר אפריל דצמ דצמבר יולי יוני ינו ינואר מאי מרץ נוב נובמבר ספט ספטמבר פבר
פברואר آوریل أبريل أغسطس أكتوبر اوت اکتبر دسامبر ديسمبر سبتمبر سپتامبر فبراير فوریه مارس مايو نوامبر نوفمبر يناير
يوليو يونيو ژانویه ژوئن ژوئیه
"""
_MONTHS = frozenset(_NAMES_OF_MONTHS.split())
# A year by itself; a time; three numbers written as a date; a number before a word for year, month or day. The pattern
# begins with a digit and looks back from there, as the search then skips all other characters.
_DATE = re.compile(
    r"\d(?:(?<![\d.,]\d)(?:(?<=1)9[5-9]|(?<=2)0[0-4])\d(?![\d%])(?![.,]\d)"
    r"|(?<!\d\d)(?:\d?:\d{2}(?!\d)|\d?[./-]\d{1,2}[./-]\d{4}(?![\d.])|\d{3}[./-]\d{1,2}[./-]\d{1,2}(?!\d))"
    r"|(?<!\d\d)(?<!\d[./-]\d)\d?[./-]\d{1,2}[./-]\d{2}(?![\d.])"
    r"| ?[年月日]| ?[년월일])"
)
# Words longer than any month are skipped, in linear time.
_WORD_BESIDE_NUMBER = re.compile(
    r"\d(?:\w\w)?[\s.,-]{0,2}(?:de )?([^\W\d_]{3,13})|(?<![^\W\d_])([^\W\d_]{3,13})[\s.,-]{1,2}\d"
)
_CODES = (
    "usd|eur|gbp|cad|aud|nzd|chf|jpy|cny|rmb|rub|uah|pln|czk|huf|dkk|sek|nok|inr|idr|vnd|brl|try|"
    "cfa|fcfa|mad|egp|ngn|zar|php|thb|myr|sgd|hkd|twd|krw|mxn|cop|clp|aed|sar|ils|rsd|bgn|ron|"
    "rs|rp|rm|kr|zł|kč|ft|lei|лв|руб|грн|р|tl|円|元|원|đ|تومان|ريال|ر.س|د.إ"
)
_SIGNS = "[$€£¥₽₴₹₫₺₩฿₪₱₦]"
_PRICE = re.compile(rf"\d(?:[.,]?[-–])?\s?(?:{_SIGNS}|(?:{_CODES})(?!\w))")
# A price with its currency before it, read from the end.
_PRICE_BACKWARDS = re.compile(rf"\d\s?(?:{_SIGNS}|\.?(?:{'|'.join(code[::-1] for code in _CODES.split('|'))})(?!\w))")


@lru_cache(20_000)  # dates and prices recur on a page and from page to page
def meaning_of_figures(text: str) -> int:
    """Return ``DATED``, ``PRICED``, both bits together, or 0.

    >>> [meaning_of_figures(text) for text in ("3. März 2024", "$ 19.99", "SKU 48213", "1,204 views", "2024-01-05 £5")]
    [1, 2, 0, 0, 3]
    """
    text = text.lower()
    return (DATED if _is_date(text) else 0) | (PRICED if _is_price(text) else 0)


def _is_date(text: str) -> bool:
    if _DATE.search(text):
        return True
    return any(_MONTHS.intersection(words) for words in _WORD_BESIDE_NUMBER.findall(text))


def _is_price(text: str) -> bool:
    return bool(_PRICE.search(text) or _PRICE_BACKWARDS.search(text[::-1]))
