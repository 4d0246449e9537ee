"""The filter is one line, and one more for fields with the clean text; the rest is what any project sets."""

from pathlib import Path

BOT_NAME = "example_project"
SPIDER_MODULES = ["example_project.spiders"]

ADDONS = {"scrapy_blockfilter.Addon": 500}
BLOCKFILTER_OUTPUT_FIELDS = {"text": "text", "markdown": "markdown"}

ROBOTSTXT_OBEY = True
LOG_LEVEL = "INFO"
FEEDS = {Path(__file__).parents[1] / "output" / "%(name)s.jsonl": {"format": "jsonlines", "overwrite": True}}
FEED_EXPORT_ENCODING = "utf-8"
