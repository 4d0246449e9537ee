"""A page that loses its own text in cleaning: the text is in the footer, where pages have no content."""

from __future__ import annotations

from tests.support.made_sites import GeneratedPage


def losing(page: GeneratedPage) -> str:
    """Return the page with its content in the footer, except for the heading and a paragraph."""
    content = "\n".join(page.markup[2:])
    assert page.html.count(content) == 1
    return page.html.replace(content, "").replace("</body>", f"<footer>{content}</footer></body>")
