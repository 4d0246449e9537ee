"""fsspec: a URL gives a file system and the path there; an unknown protocol raises ValueError or ImportError."""

from __future__ import annotations

import pytest

core = pytest.importorskip("fsspec.core")


def test_a_url_gives_a_file_system_and_a_path() -> None:
    system, path = core.url_to_fs("memory://contract/a.txt")
    with system.open(path, "wb") as file:
        file.write(b"text")
    with system.open(path, "rb") as file:
        assert file.read() == b"text"
    assert [entry["name"] for entry in system.ls("/contract", detail=True)] == ["/contract/a.txt"]


@pytest.mark.parametrize("url", ["nonsense://a/b", "s4://a/b"])
def test_an_unknown_protocol_raises(url: str) -> None:
    with pytest.raises((ValueError, ImportError)):
        core.url_to_fs(url)
