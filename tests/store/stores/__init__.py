"""Stores as released versions wrote them, and the scripts that make them anew."""
