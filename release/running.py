"""Run programs: what they print is in the problem if they fail."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

# Seconds after which a program is taken for hung. Compiling and installing take one or two minutes on a slow machine.
PATIENCE = 900.0
# Lines of its output that a problem shows; the last ones say why.
_SHOWN = 12
# Of this checkout, or of whoever runs this: none of it may reach a fresh environment.
_FOREIGN = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "BLOCKFILTER_NATIVE", "SCRAPY_SETTINGS_MODULE", "SCRAPY_PROJECT")


class ReleaseError(Exception):
    """What a release must not have. The message says it in words."""


def run(
    command: Sequence[str | Path], *, folder: Path, environment: Mapping[str, str] | None = None, may_fail: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder.

    Args:
        environment: variables to add to those of this process.
        may_fail: return what it printed, however it ends.

    Raises:
        ReleaseError: it fails or hangs.
    """
    clean = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words,
            cwd=folder,
            env={**clean, **(environment or {})},
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        raise ReleaseError(f"hangs: {_shown(words)}") from None
    if done.returncode and not may_fail:
        lines = [line for line in f"{done.stdout}\n{done.stderr}".splitlines() if line.strip()]
        why = lines[-1].strip() if lines else f"code {done.returncode}"
        raise ReleaseError("\n".join([f"fails, {why}", f"code {done.returncode}: {_shown(words)}", *lines[-_SHOWN:]]))
    return done


def _shown(words: Sequence[str]) -> str:
    """Return a command in one line, without the code that it runs."""
    return " ".join([Path(words[0]).name, *(word if "\n" not in word else "..." for word in words[1:])])
