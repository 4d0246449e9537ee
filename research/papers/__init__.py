"""The published methods measured as their authors did."""
