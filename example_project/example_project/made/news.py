"""The made newspaper: four articles for each of six sections, and lists of them."""

from __future__ import annotations

from typing import NamedTuple

from example_project.made import news_page, story
from example_project.made.site import MadePage, MadeSite, slug
from example_project.made.writer import Writer

NAME = "saltby-courier.example"


class Article(NamedTuple):
    """An article with what belongs to it.

    Attributes:
        standfirst: the sentence below the headline, which teasers repeat.
        remarks: name and text of what readers wrote below.
    """

    path: str
    section: str
    headline: str
    standfirst: str
    author: str
    date: str
    caption: str
    paragraphs: tuple[str, ...]
    remarks: tuple[tuple[str, str], ...]


def news_site() -> MadeSite:
    """The whole site, the same each time."""
    articles = [
        _article(section, number, subject, act)
        for section, stories in story.STORIES.items()
        for number, (subject, act) in enumerate(stories)
    ]
    # A front page shows articles of all sections.
    mixed = sorted(articles, key=lambda article: slug(article.headline)[::-1])
    pages = {"/": MadePage(news_page.listing("The Saltby Courier", mixed[:12], articles))}
    for section in story.STORIES:
        own = [article for article in articles if article.section == section]
        pages[f"/{slug(section)}/"] = MadePage(news_page.listing(section, own, articles))
    for number, article in enumerate(articles):
        others = [articles[(number + step) % len(articles)] for step in (5, 11, 14)]
        pages[article.path] = news_page.article_page(article, others, articles)
    return MadeSite(NAME, pages)


def _article(section: str, number: int, subject: str, act: str) -> Article:
    writer = Writer(f"{section} {number}", {"subject": subject})
    headline = writer.fill(f"{subject} {act}")
    paragraphs = [
        " ".join(
            (
                writer.fill(f"the {subject} {act}, {{person}} told a meeting at {{place}} on {{day}}."),
                writer.one(story.OPENINGS),
            )
        )
    ]
    middle = [*writer.some(story.DETAILS, 9), *writer.some(story.FIGURES, 4)]
    writer.chooser.shuffle(middle)
    said = writer.some(story.QUOTES, 4)
    for quote in said:
        take = writer.chooser.choice((2, 3))
        paragraphs.append(" ".join(middle[:take]))
        paragraphs.append(quote)
        del middle[:take]
    paragraphs.append(" ".join(writer.some(story.OUTLOOKS, 2)))
    remarks = tuple((writer.name(), remark) for remark in writer.some(story.REMARKS, 2 + number % 3))
    return Article(
        f"/{slug(section)}/{slug(headline)}.html",
        section,
        headline,
        writer.one(story.STANDFIRSTS),
        writer.name(),
        f"{writer.chooser.randint(2, 28)} March 2026",
        writer.one(story.CAPTIONS),
        tuple(paragraphs),
        remarks,
    )
