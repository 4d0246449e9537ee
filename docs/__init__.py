"""The pages of the site, and in ``generate`` what writes their tables."""
