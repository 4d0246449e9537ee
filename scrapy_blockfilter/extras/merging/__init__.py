"""Stores of several machines or crawls made one, by the command ``merge``: ``merging`` says how."""
