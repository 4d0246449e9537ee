"""Memory of this process, as the system counts it."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def resident_bytes() -> int | None:
    """Return the resident memory, None where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def peak_bytes() -> int:
    """Return the peak of the resident memory, 0 where the system does not tell.

    On Linux ``getrusage`` tells no less than the peak of the process that started this one.
    """
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM:")]
        return 1024 * int(line.split()[1])
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
