"""What the class and id names of an element hint at.

Hints are weak evidence that a site's own numbers overrule: as a rule of its own "widget" once emptied a site whose
article stood in one. Most sites are written with English names, whatever the language of their text.
"""

from __future__ import annotations

import re
from functools import lru_cache

# A bit each, in this order: the place of a group is a part of the trained weights.
_WORDS = {
    "navigation": r"nav|menu|crumb|pagina|pager|paging|tabs?(?![a-z])|toc(?![a-z])|sitemap|skip|jump",
    "footer": r"foot|copyright|legal|disclaim",
    "header": r"header|masthead|banner|logo|topbar|branding",
    "sidebar": r"side|aside|rail|right-?col|column-?right|widget|gadget",
    "comments": r"comment|discuss|disqus|respon[ds]|repl(?:y|ies)|reader|feedback|remark|opini",
    "related": (
        r"relat|similar|recommend|more|most|popular|latest|recent|trending|also|teaser|promo|outbrain|taboola|next|prev"
        r"|archive|headlines|box"
    ),
    "sharing": (
        r"shar(?:e|ing)|social|facebook|twitter|follow|like|email|print|bookmark|tool|action|subscri|newsletter|rss|sign-?up"
        r"|log-?in|register|search|vote|rating"
    ),
    "byline": r"meta|byline|author|date|time|publish|posted|credit|source|tags?(?![a-z])|categor|info|kicker|stamp",
    "advert": r"(?<![a-z])ads?(?![a-z])|advert|sponsor|cookie|consent|gdpr|popup|modal|overlay|hidden|commercial",
    "content": r"content|article|entry|post|story|body|text|main|copy|document|markdown|prose|single|description",
    "title": r"title|headline|heading|subject|lead|intro|summary|standfirst|deck|abstract|excerpt",
    "caption": r"caption|photo|image|gallery|figure|media|video|slide|thumb|pic",
    "data": r"code|highlight|example|syntax|table|data|spec",
}
GROUPS = tuple(_WORDS)
# Elements that say what is in them, by their tags alone; a bit each behind those of the groups.
_CONTAINERS = {
    "table": ("table",),
    "list": ("ul", "ol", "dl"),
    "paragraph": ("p",),
    "quote": ("blockquote", "pre", "figure"),
    "form": ("form", "select", "fieldset"),
    "article": ("article", "main"),
}
CONTAINERS = tuple(_CONTAINERS)
_PATTERNS = [re.compile(words) for words in _WORDS.values()]
_BITS = {name: 1 << place for place, name in enumerate((*GROUPS, *CONTAINERS))}
_GROUP_OF_TAG = {
    "nav": "navigation",
    "footer": "footer",
    "header": "header",
    "aside": "sidebar",
    "article": "content",
    "main": "content",
    "figure": "caption",
    "figcaption": "caption",
}


_OF_TAG = {
    tag: _BITS.get(_GROUP_OF_TAG.get(tag, ""), 0)
    | sum(_BITS[name] for name, tags in _CONTAINERS.items() if tag in tags)
    for tag in {*_GROUP_OF_TAG, *(tag for tags in _CONTAINERS.values() for tag in tags)}
}
_BETWEEN_NAMES = re.compile("[.#]+")


def hints_of(tag: str, label: str) -> int:
    """The groups that an element's tag and the names in its style label hint at, and the containers it is, a bit each.

    >>> [name for name, bit in _BITS.items() if hints_of("ul", "ul.post-comments") & bit]
    ['comments', 'content', 'list']
    """
    hints = _OF_TAG.get(tag, 0)
    for name in _BETWEEN_NAMES.split(label[len(tag) :].lower()):
        hints |= _hints_of_name(name)
    return hints


@lru_cache(50_000)  # a site's names are fewer than their combinations
def _hints_of_name(name: str) -> int:
    return sum(1 << place for place, pattern in enumerate(_PATTERNS) if name and pattern.search(name))
