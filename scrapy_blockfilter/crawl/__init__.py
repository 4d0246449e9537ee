"""What a running crawl knows of its sites, and how it cleans an item.

``site_keys`` maps a URL to its site, and ``pages`` tells which responses to learn from. ``learner`` takes pages in and
gives models; ``layouts`` tells a site's layouts apart. ``site_states`` keeps sites in memory (``site_cache``) and in
the store (``stores``), and ``peer_sync`` says when they are exchanged with other processes. ``corrector`` applies
people's corrections.

``item_origins`` finds the response of an item. ``item_cleaner`` cleans its fields, read and set by ``item_fields``.
``response_cache`` keeps what was made of a response for learning and for further items.
``suspects`` remembers pages that may have lost content, and ``stats`` names what is counted.
"""
