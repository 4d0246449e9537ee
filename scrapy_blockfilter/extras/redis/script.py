"""The scripts that a Redis server runs. They hold no data: all of that is in their arguments.

Anyone may have written to the server. A script refuses a value by its size, so that it is never sent or held twice.
"""

from pathlib import Path

EXCHANGE = Path(__file__).with_name("exchange.lua").read_text("utf-8")
CORRECTIONS = Path(__file__).with_name("corrections.lua").read_text("utf-8")
