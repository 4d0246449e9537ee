"""What a running crawl knows of its sites, and how it cleans an item.

``session`` holds all of it, for the components to ask. ``pages`` identifies pages and their sites. ``learner`` takes
pages in and gives models, which ``fitting`` fits, loads and keeps. ``layouts`` tells a site's layouts apart.
``site_cache`` keeps sites in memory and in the store (``stores``). ``corrector`` applies people's corrections.

``item_origins`` finds the response of an item. ``item_cleaner`` cleans its fields, which ``item_fields`` reads, with
the ``site_cleaner`` of its site. ``response_cache`` keeps what was read of a response for learning and for its items,
from the tree that the spider uses (``spider_trees``). ``told`` says at the end what to look into, and ``stats`` names
what is counted.
"""
