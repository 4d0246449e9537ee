"""Every test of this folder runs on native code and on Python."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True, scope="module")
def on_both(implementation: None) -> None: ...
