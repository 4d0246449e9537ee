"""Every test of this folder runs on native code and on Python."""

from tests.support.native import on_both as on_both
