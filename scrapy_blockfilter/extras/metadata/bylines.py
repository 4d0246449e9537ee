"""Names of authors in lines such as "By Anna Smith and Ben Jones, 12 March 2014"."""

from __future__ import annotations

import re

from scrapy_blockfilter.extras.metadata.dates import BY_NAME

# Words before a name, at the start of a line or after a mark or a date.
_BEFORE_NAME = re.compile(
    r"(?:\A|[\s|•·–—,-])"
    r"(?:by|written by|posted by|von|par|por|di|door|av|af|autor:?|author:?|text:|автор:?|autore:?)\s+",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\s,;|•·()–—/]+")
_AND = frozenset({"and", "und", "et", "y", "e", "en", "och", "og", "и", "&"})
_PARTICLES = frozenset({"de", "da", "del", "der", "den", "di", "du", "la", "le", "van", "von", "bin", "al", "el"})
# Words behind a name, which may begin like one: "By Anna Smith Updated Monday, May 5".
_BEHIND_NAME = re.compile(
    r"(?i)(?:last\s+)?(?:updated|modified|published|posted|aktualisiert|veröffentlicht|publié|mis à jour|actualizado"
    r"|publicado|atualizado|pubblicato|aggiornato|bijgewerkt|gepubliceerd|обновлено|опубликовано)\b"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s(?=\d|[^\W\d]{3,15}\.?\s\d)"
)
_BETWEEN_NAMES = re.compile(r"[,;]|\s(?:and|und|et|&)\s")
# Words of a name, and names in a line: more is a sentence.
_MAX_WORDS, _MAX_NAMES = 5, 5
_MAX_LINE = 300


def names_in_byline(line: str) -> list[str]:
    """Return the names of authors in a line, none if it does not say that they are.

    >>> names_in_byline("Posted by Anna de Vries and Ben Jones on 12 March"), names_in_byline("12 March 2014")
    (['Anna de Vries', 'Ben Jones'], [])
    >>> names_in_byline("By Anna Smith March 12, 2014")
    ['Anna Smith']
    """
    line = line[:_MAX_LINE]
    found = (_names_at(line, before.end()) for before in _BEFORE_NAME.finditer(line))
    return next(filter(None, found), [])


def begins_as_byline(line: str) -> bool:
    """Return whether a line begins with a word before names, such as "By"."""
    return _BEFORE_NAME.match(line) is not None


def listed_names(text: str) -> list[str]:
    """Return the names in a list of names of two words or more; the text as it is if it may be one name.

    >>> listed_names("Anna Smith, Ben Jones and Eva Roy"), listed_names("Smith, Anna"), listed_names("BBC News")
    (['Anna Smith', 'Ben Jones', 'Eva Roy'], ['Smith, Anna'], ['BBC News'])
    >>> listed_names("Smith, Anna; Jones, Ben")
    ['Smith, Anna', 'Jones, Ben']
    """
    names = text[:_MAX_LINE].split(";")
    if len(names) == 1 or not all("," in name for name in names):
        names = _BETWEEN_NAMES.split(text[:_MAX_LINE])
    names = [name.strip() for name in names]
    are_names = all(1 < len(name.split()) <= _MAX_WORDS and not name[0].islower() for name in names)
    return names if len(text) <= _MAX_LINE and are_names else [text]


def _names_at(line: str, start: int) -> list[str]:
    names: list[str] = []
    words: list[str] = []
    end = start
    for found in _WORD.finditer(line, start):
        word = found[0]
        is_behind = words and (BY_NAME.match(line, found.start()) or _BEHIND_NAME.match(line, found.start()))
        if is_behind or line[end : found.start()].strip():  # a mark between words
            break
        end = found.end()
        if word.lower() in _AND and words:
            names.append(" ".join(words))
            words = []
        elif word[0].isupper() and not any(map(str.isdigit, word)):
            words.append(word.rstrip(":"))
        elif word.lower() in _PARTICLES and words:
            words.append(word)
        else:
            break
    while words and words[-1].lower() in _PARTICLES:
        words.pop()
    names += [" ".join(words)] if words else []
    return names[:_MAX_NAMES] if all(len(name.split()) <= _MAX_WORDS for name in names) else []
