"""Tools that several methods share."""
