"""The filter is one line, and one more for fields with the clean text; the rest is what any project sets."""

from importlib.util import find_spec
from pathlib import Path

BOT_NAME = "example_project"
SPIDER_MODULES = ["example_project.spiders"]

ADDONS = {"scrapy_blockfilter.Addon": 500}
BLOCKFILTER_OUTPUT_FIELDS = {"text": "text"}
if find_spec("turbohtml"):  # what the extra scrapy-blockfilter[markdown] installs
    BLOCKFILTER_OUTPUT_FIELDS["markdown"] = "markdown"

ROBOTSTXT_OBEY = True
LOG_LEVEL = "INFO"
FEEDS = {Path(__file__).parents[1] / "output" / "%(name)s.jsonl": {"format": "jsonlines", "overwrite": True}}
FEED_EXPORT_ENCODING = "utf-8"
