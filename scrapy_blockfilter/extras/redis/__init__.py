"""A store on a Redis server, for crawls on several machines: ``BLOCKFILTER_STORE = "redis://HOST:PORT/NUMBER"``.

``store`` is the store. ``link`` bounds what its calls take, ``pages`` and ``corrections`` say how these are written.
"""

from scrapy_blockfilter.extras.redis.store import RedisStore

__all__ = ["RedisStore"]
