"""Fault tests: crawls stopped and killed, hostile input, damaged and crowded stores."""
