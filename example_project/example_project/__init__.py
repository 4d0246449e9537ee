"""A Scrapy project with scrapy-blockfilter switched on."""
