"""The default method: one learned judge.

A page is judged in this order:

1. :mod:`~scrapy_blockfilter.consensus.features` says in numbers what is known of each block: its text, what it stands
   in on the page, and how its place behaves over the pages of the site.
2. :mod:`~scrapy_blockfilter.consensus.network` makes a score of them, and what is above a threshold stays.
3. :data:`~scrapy_blockfilter.consensus.steps.STEPS` keep the promises that no score may break: what the HTML standard
   calls no content goes; the page's headline stays, and so do the headings of text and the labels of values that stay.

Then, as for any method, tables and lists stay or go as a whole, and a guard keeps pages from losing nearly all of their
text (:mod:`scrapy_blockfilter.model.site_model`).
"""
