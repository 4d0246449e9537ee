"""What pages of the documentation do not say by hand: tables of the code and tables of figures.

``python -m docs.generate`` writes them between ``<!-- table: NAME -->`` and ``<!-- end -->`` on each page and in the
README. Tables of the code come from :mod:`docs.generate.reference`, tables of figures from the files in
``docs/figures`` by :mod:`docs.generate.tables`. ``--take FILE`` first takes over what a benchmark has written.
"""
