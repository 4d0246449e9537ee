"""A running crawl: its sites, and how an item of it is cleaned.

``session`` holds all of it, for the components to ask. ``pages`` identifies pages and their sites. ``learner`` takes
pages in and gives models, which ``fitting`` fits, loads, keeps and corrects. ``layouts`` tells a site's layouts apart.
``site_cache`` keeps sites in memory and in the store.

``item_origins`` finds the response of an item. ``item_cleaner`` cleans its fields, read and set by ``item_fields``,
with the ``site_cleaner`` of its site. ``response_cache`` keeps the page of a response, for learning and for its items.
``stores`` opens the store, and ``stored_models`` reads models outside of a crawl. ``told`` says at the end what to look
into, ``stats`` has the names of counts, and ``log_once`` keeps the log short.
"""
