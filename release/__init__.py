"""What is published, tried as a stranger meets it: ``nox -s release``, or ``python -m release``.

``distributions`` builds sdist and wheels and looks into them. ``environments`` lists the fresh environments and fills
them. ``project`` makes a new Scrapy project in each, and crawls a made site over loopback. ``extras`` uses what each
extra adds. ``__main__`` runs all and prints a table.
"""
