"""Every regular expression of the package scans 300 KB of one thing in linear time.

Importing and using the package finds them, including patterns that functions make.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

# Goes over all modules with re.compile watched, cleans pages so that functions make theirs, and tries each pattern.
_SCRIPT = """
import importlib, json, pkgutil, re, resource

resource.setrlimit(resource.RLIMIT_CPU, (240, 240))
made = {}
compiled = re._compile

def watched(pattern, flags):
    return made.setdefault((pattern, int(flags)), compiled(pattern, flags))

re._compile = watched
import scrapy_blockfilter as bf
from scrapy_blockfilter.options.removed import replacement
ours = {}
for module in pkgutil.walk_packages(bf.__path__, "scrapy_blockfilter."):
    # A module that went raises, and says where it is now.
    if not module.name.endswith("__main__") and not replacement(module.name):
        loaded = importlib.import_module(module.name)
        for name, value in vars(loaded).items():
            for held in value if isinstance(value, (list, tuple)) else [value]:
                if isinstance(held, re.Pattern):
                    ours[f"{module.name}.{name} {held.pattern[:20]}"] = held
made.clear()
pages = [f"<p>Menu</p><p>Story {n}</p><xmp>&{n}</xmp><iframe><p></iframe>" for n in range(4)]
bf.learn(pages, bf.Options(pages=4, method="chunk_frequency")).clean(pages[0]).html
ours.update({f"made {pattern.pattern[:40]}": pattern for pattern in made.values()})
size = 300_000
for name, pattern in ours.items():
    encoded = str.encode if isinstance(pattern.pattern, bytes) else str
    for unit in (" ", "<", "a", "=", '="', "<a='", "<!--", "a<", "0"):
        text = (unit * size)[:size]
        for subject in map(encoded, (text, f"<a b={text}é>")):
            pattern.fullmatch(subject)
            pattern.sub(subject[:0], subject)
print(json.dumps([*ours]))
"""


def test_no_pattern_takes_long_over_300_kilobytes_of_one_thing() -> None:
    # Quadratic time would be minutes for each text. The limit of processor time is far above what all need.
    done = subprocess.run([sys.executable, "-c", _SCRIPT], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr or "a pattern takes quadratic time"
    # Alone in a module, and in a list of one.
    for place in ("html.tag_cost.", "html.parse.", "render.html.", "text.terms.", "html.class_hints."):
        assert place in done.stdout
