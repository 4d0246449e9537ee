"""Values that can be stored: hashes that are the same in every process, and learnt values as checked bytes."""

from scrapy_blockfilter.storable.array_bytes import ArrayReader, StateError, Values, pack, parts, unpack
from scrapy_blockfilter.storable.hashing import digest_of, hash32, hash64

__all__ = ["ArrayReader", "StateError", "Values", "digest_of", "hash32", "hash64", "pack", "parts", "unpack"]
