"""What the site adds to its pages: plain names in docstrings, a description each, and all as Markdown for programs.

Beside each page stands its Markdown, and ``llms.txt`` lists all of them: see https://llmstxt.org.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_ROLE = re.compile(r":(?:attr|class|data|func|meth|mod):(?=<code>)")
_BEFORE_CODE = re.compile(r"::(?=</p>)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_INCLUDED = re.compile(r'^--8<-- "([\w.]+)"$', re.MULTILINE)
_CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_CELL = re.compile(r"<td\b.*?</td>", re.DOTALL)
_LONGEST = 200


def on_page_markdown(markdown: str, page: Any, **_: Any) -> None:
    """Give a page the description that search engines show."""
    page.meta.setdefault("description", description_of(markdown))


def on_page_content(html: str, **_: Any) -> str:
    r"""The HTML of a page without the roles of names, with one colon before an example, and bars in code of tables.

    >>> on_page_content("<p>See :meth:<code>clean</code>::</p>")
    '<p>See <code>clean</code>:</p>'
    >>> print(on_page_content(r"<td><code>SITE\|URL</code></td>"))
    <td><code>SITE|URL</code></td>
    """
    plain = _CELL.sub(lambda cell: cell[0].replace(r"\|", "|"), html)
    return _BEFORE_CODE.sub(":", _ROLE.sub("", plain))


def on_post_page(output: str, page: Any, config: Any) -> None:
    """Write the Markdown of a page beside its HTML."""
    source = _INCLUDED.sub(
        lambda name: (Path(config.config_file_path).parent / name[1]).read_text(encoding="utf-8"),
        Path(page.file.abs_src_path).read_text(encoding="utf-8"),
    )
    twin = Path(config.site_dir, page.file.src_uri)
    twin.parent.mkdir(parents=True, exist_ok=True)
    twin.write_text(source, encoding="utf-8")


def on_post_build(config: Any) -> None:
    """Write ``llms.txt``."""
    lines = [f"# {config.site_name}", "", f"> {config.site_description}", ""]
    for section in config.nav:
        for name, pages in section.items():
            lines += [f"## {name}", ""]
            for one in pages:
                for title, source in one.items():
                    text = Path(config.docs_dir, source).read_text(encoding="utf-8")
                    about = description_of(text)
                    lines.append(f"- [{title}]({config.site_url}{source}){f': {about}' if about else ''}")
            lines.append("")
    Path(config.site_dir, "llms.txt").write_text("\n".join(lines), encoding="utf-8")


def description_of(markdown: str) -> str:
    """The first sentences of a page, as plain text.

    >>> description_of("# A page\\n\\nIt [says](a.md) `this`\\nand more.\\n\\nThen *that*.")
    'It says this and more.'
    """
    paragraphs = (paragraph.strip() for paragraph in _CODE.sub("", markdown).split("\n\n"))
    first = next((text for text in paragraphs if text[:1].isalpha()), "")
    plain = re.sub(r"[`*]", "", _LINK.sub(r"\1", " ".join(first.split())))
    end = plain.rfind(". ", 0, _LONGEST) + 1 if len(plain) > _LONGEST else len(plain)
    return plain[: end or _LONGEST].rstrip(" :")
