"""A page that loses its own text when it is cleaned, as it stands where no page of any site has content."""

from __future__ import annotations

from tests.support.made_sites import GeneratedPage


def losing(page: GeneratedPage) -> str:
    """The page with all of its content but the heading and a paragraph in its footer."""
    content = "\n".join(page.markup[2:])
    assert page.html.count(content) == 1
    return page.html.replace(content, "").replace("</body>", f"<footer>{content}</footer></body>")
