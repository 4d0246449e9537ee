"""The path of a module in 0.2, which says where it is now."""

from scrapy_blockfilter.options.removed import replacement

raise ImportError(replacement("scrapy_blockfilter.render.keys"))
