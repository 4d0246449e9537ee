"""The made newspaper's HTML: an article, and a list of articles, in the clutter of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from example_project.made.site import MadePage, document, links, slug
from example_project.made.story import STORIES

if TYPE_CHECKING:
    from example_project.made.news import Article

_CONSENT = "We and our 148 partners store cookies on your device to measure who reads what. You can change your mind."
_OFFER = "Twelve weeks of the Saltby Courier for £1 a week: cancel whenever you like"
_NEWSLETTER = "The Courier’s morning letter: what matters in Saltby, in your inbox before breakfast"
_SMALL_PRINT = "We send no more than one letter a day and never pass on your address."
_RULES = "Be kind to each other. Comments are read by an editor before they appear, on weekdays until ten."
_EVENTS = ("Repair café at the Lamp Works", "Open rehearsal of the dock choir", "Spring fair on Pendry Hill")
_LEGAL = "© 2026 Saltby Courier Printing and Publishing Company. All rights reserved."
_ABOUT = ("Work for the Courier", "How to complain", "Advertise with us", "Terms of use and privacy", "Back issues")
_MENU = {
    "Council": ("Budget", "Elections", "Planning", "Waste and recycling"),
    "Harbour": ("Tides today", "Fishing fleet", "Lifeboat", "Arrivals"),
    "Schools": ("Admissions", "Exam results", "College", "School meals"),
    "Sport": ("Fixtures", "League tables", "Running", "Bowls"),
    "Culture": ("What’s on", "Books", "Film times", "Galleries"),
    "Transport": ("Roadworks", "Rail", "Buses", "Cycling"),
}
_CSS = """
body { margin: 0; font: 17px/1.55 Georgia, serif; color: #222 }
header, footer, nav, aside, .consent, .share, .promo, .card { font-family: sans-serif; font-size: 14px }
.consent, footer { background: #1d2b3a; color: #fff; padding: 14px 28px }
.consent a, footer a { color: #fff }
.bar { display: flex; gap: 24px; padding: 6px 28px; background: #eee }
.logo { font: bold 34px Georgia, serif; padding: 10px 28px }
nav.mega > ul { display: flex; gap: 28px; list-style: none; padding: 0 28px; border-bottom: 3px solid #1d2b3a }
nav.mega ul ul { padding: 0; list-style: none; font-size: 12px }
.page { display: grid; grid-template-columns: 1fr 240px; gap: 36px; padding: 0 28px }
h1 { font-size: 34px; line-height: 1.15 }
.standfirst { font-size: 20px; color: #555 }
.promo { background: #fff3d6; padding: 12px }
.cards { display: grid; grid-template-columns: 1fr 1fr 1fr; gap: 16px }
.comment { border-top: 1px solid #ddd }
"""


def article_page(article: Article, related: Sequence[Article], newest: Sequence[Article]) -> MadePage:
    """An article. Menus, teasers, boxes and remarks around it are its clutter."""
    half = len(article.paragraphs) // 2
    body = f"""
<main class="page"><article><ol class="breadcrumb"><li><a href="/">Home</a></li>
<li><a href="/{slug(article.section)}/">{article.section}</a></li></ol>
<h1>{article.headline}</h1><p class="standfirst">{article.standfirst}</p>
<div class="byline">By <a href="/staff/{slug(article.author)}">{article.author}</a> <time>{article.date}</time></div>
<div class="share"><a href="#share">Share</a> <a href="#post">Post</a> <a href="#mail">Mail</a>
<a href="#save">Save for later</a></div>
<figure><img src="/img/{slug(article.headline)}.jpg" alt=""><figcaption>{article.caption}</figcaption></figure>
<div class="story">{_paragraphs(article.paragraphs[:half])}
<div class="promo inline"><b>Read more</b> <a href="{related[0].path}">{related[0].headline}</a></div>
{_paragraphs(article.paragraphs[half:-1])}
{_newsletter()}
{_paragraphs(article.paragraphs[-1:])}</div>
<div class="tags">{links({f"/tag/{slug(tag)}": tag for tag in (article.section, "Saltby", "Your town")})}</div>
<section class="related"><h2>More on this</h2><div class="cards">{_cards(related)}</div></section>
<section class="comments"><h2>{len(article.remarks)} comments</h2><p class="rules">{_RULES}</p>
{"".join(map(_remark, article.remarks))}<a href="/signin">Sign in to comment</a></section>
</article>{_aside(newest)}</main>"""
    clutter = (
        *_fixed(),
        _NEWSLETTER,
        _SMALL_PRINT,
        _RULES,
        *(text for other in related for text in (other.headline, other.standfirst)),
        *(text for _, text in article.remarks),
    )
    own = (article.headline, article.standfirst, article.caption, *article.paragraphs)
    return MadePage(_framed(f"{article.headline} | The Saltby Courier", body), own, clutter)


def listing(title: str, shown: Sequence[Article], newest: Sequence[Article]) -> str:
    """The front page or that of a section."""
    body = f"""
<main class="page"><section class="list"><h1>{title}</h1><div class="cards">{_cards(shown)}</div>
{_newsletter()}</section>{_aside(newest)}</main>"""
    return _framed(f"{title} | The Saltby Courier", body)


def _framed(title: str, body: str) -> str:
    """Everything above and below a page's own part."""
    sections = "".join(
        f'<li><a class="section" href="/{slug(section)}/">{section}</a>'
        f"{links({f'/{slug(section)}/{slug(topic)}': topic for topic in _MENU[section]})}</li>"
        for section in STORIES
    )
    return document(
        title,
        _CSS,
        f"""<a class="skip" href="#main">Skip to main content</a>
<div class="consent" role="dialog"><p>{_CONSENT}</p><button>Accept all</button> <button>Reject all</button>
<a href="/cookies">Manage choices</a></div>
<header><div class="bar"><span>Saltby 9°C, light rain</span>
<a href="/signin">Sign in</a>
<a class="offer" href="/subscribe">{_OFFER}</a><form action="/search"><input placeholder="Search"></form></div>
<div class="logo"><a href="/">The Saltby Courier</a></div><nav class="mega"><ul>{sections}</ul></nav></header>
{body}
<footer><div class="columns">{links({f"/about/{slug(label)}": label for label in _ABOUT})}
{links({f"/{slug(section)}/": section for section in STORIES})}</div><p>{_LEGAL}</p></footer>""",
    )


def _aside(newest: Sequence[Article]) -> str:
    read = "".join(f'<li><a href="{article.path}">{article.headline}</a></li>' for article in newest[1:22:4])
    events = "".join(f"<li><a href='/events/{slug(event)}'>{event}</a></li>" for event in _EVENTS)
    return f"""
<aside><div class="ad">Advertisement</div><section class="most-read"><h3>Most read</h3><ol>{read}</ol></section>
<section class="events"><h3>In town this week</h3><ul>{events}</ul></section></aside>"""


def _fixed() -> tuple[str, ...]:
    return (_CONSENT, _OFFER, *_EVENTS, _LEGAL, *_ABOUT)


def _cards(articles: Sequence[Article]) -> str:
    return "".join(
        f'<div class="card"><a href="{article.path}"><img src="/img/{slug(article.headline)}-small.jpg" alt=""></a>'
        f'<span class="kicker">{article.section}</span><h3><a href="{article.path}">{article.headline}</a></h3>'
        f"<p>{article.standfirst}</p></div>"
        for article in articles
    )


def _paragraphs(texts: Sequence[str]) -> str:
    return "\n".join(f"<p>{text}</p>" for text in texts)


def _newsletter() -> str:
    return (
        f'<div class="promo newsletter"><h4>{_NEWSLETTER}</h4><form><input placeholder="Your email"><button>Sign up'
        f"</button></form><p>{_SMALL_PRINT}</p></div>"
    )


def _remark(remark: tuple[str, str]) -> str:
    name, text = remark
    return (
        f'<div class="comment"><b>{name}</b> <span class="when">{len(text) % 9 + 2} hours ago</span><p>{text}</p>'
        '<a href="#reply">Reply</a> <a href="#report">Report</a></div>'
    )
