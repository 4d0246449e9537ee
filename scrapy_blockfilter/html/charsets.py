"""Decode pages by the encodings of the web.

A page may name any encoding. Python has codecs under many more names than browsers know: ``zlib``, ``hex`` and ``idna``
are no encodings of text and raise, ``unicode_escape`` would give other text than a browser shows. A page that names an
encoding outside of the list below therefore counts as a page that names none.
"""

from __future__ import annotations

import re
from codecs import register_error
from contextlib import suppress
from functools import cache
from importlib.resources import files

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, to_unicode

# The encodings of the standard (https://encoding.spec.whatwg.org/#names-and-labels), as Python's codecs. Python has no
# codec for "replacement" and "x-user-defined".
_NAMES = (
    "utf-8 utf-16 utf-16-be utf-16-le cp866 koi8-r koi8-u mac-roman mac-cyrillic cp874 gb18030 big5 big5hkscs "
    "euc_jp iso2022_jp shift_jis cp932 euc_kr cp949 "
    "cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 "
    "iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14 "
    "iso8859-15 iso8859-16"
)
WEB_ENCODINGS = frozenset(_NAMES.split())
_JAPANESE, _PAIR = frozenset({"euc_jp", "iso2022_jp"}), re.compile(rb"[!-~]{2}|[\xa1-\xfe]{2}")
# The standard reads UTF-16 without a byte order mark like this. A page in UTF-16 could not be read to its declaration.
_IN_HEADER = {**{name: name for name in WEB_ENCODINGS}, "utf-16": "utf-16-le"}
# Labels of the standard that Python lacks, behind the codec of each; where one is declared; bytes of a declaration.
_LINES = files(__package__).joinpath("encodings.txt").read_text(encoding="utf-8").splitlines()
_FOREIGN = {label: codec for codec, *labels in map(str.split, _LINES) for label in labels}
_LABEL, _DECLARED = re.compile(r"(?i)((?:charset|encoding)\s*=\s*[\"']?)([\w.:-]{1,40})"), 4096
_IN_PAGE = {**_IN_HEADER, **dict.fromkeys(("utf-16", "utf-16-be", "utf-16-le"), "utf-8")}


def decode(body: bytes, content_type: str | None = None) -> str:
    """Decode ``body`` by its byte order mark, its declared encoding, or a guess, as browsers do. Any bytes are decoded.

    Args:
        content_type: the HTTP header, which counts before what the page declares.
    """
    encoding, mark = read_bom(body)
    if encoding is not None and mark is not None:
        return to_unicode(body[len(mark) :], encoding)
    texts = content_type or "", body[:_DECLARED].decode("latin-1")
    header, start = (_LABEL.sub(lambda at: at[1] + _FOREIGN.get(at[2].lower(), at[2]), text) for text in texts)
    declared = _IN_HEADER.get(http_content_type_encoding(header) or "")
    encoding = declared or _IN_PAGE.get(html_body_declared_encoding(start) or "") or _guess(body)
    return body.decode(encoding, "scrapy_blockfilter.pairs") if encoding in _JAPANESE else to_unicode(body, encoding)


@cache
def _of_vendors(pair: bytes) -> str:
    """Decode two bytes that the standards of Japan lack, as of ①, by Microsoft's Shift_JIS, which has the same rows."""
    row, cell = (byte % 128 - 33 for byte in pair)
    lead, trail = row // 2 + (129 if row < 62 else 193), cell + (159 if row % 2 else 64 + (cell > 62))
    found = bytes((lead, trail)).decode("cp932", "replace")
    return found if len(found) == 1 else "\ufffd"


def _decode_pair(error: UnicodeError) -> tuple[str | bytes, int]:
    assert isinstance(error, UnicodeDecodeError)
    start, pair = error.start, error.object[error.start : error.start + 2]
    return (_of_vendors(pair), start + 2) if _PAIR.fullmatch(pair) else ("\ufffd", error.end)


register_error("scrapy_blockfilter.pairs", _decode_pair)


def _guess(body: bytes) -> str:
    for encoding in ("utf-8", "cp1252"):
        with suppress(UnicodeDecodeError):
            body.decode(encoding)
            return encoding
    return "utf-8"
