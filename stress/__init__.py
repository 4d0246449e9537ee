"""Faults: crawls that are stopped and killed, hostile input, stores under fire."""
