"""Values that can be stored: hashes that are the same in every process, and learnt values as checked bytes."""
