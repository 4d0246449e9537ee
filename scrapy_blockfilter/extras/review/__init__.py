"""The command ``review``: see what is stripped from pages of a site in the browser, and correct it there.

``command`` gets the pages, ``session`` judges them and makes corrections, ``server`` shows that on this machine, and
``guard`` lets in nobody but the browser that was given the address.
"""
