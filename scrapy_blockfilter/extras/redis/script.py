"""The scripts that a Redis server runs. They hold no data: all of that is in their arguments.

Anyone may have written to the server. A script refuses a value by its size, so that it is never sent or held twice.
"""

from pathlib import Path

EXCHANGE, CORRECTIONS = (
    Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("exchange.lua", "corrections.lua")
)
