"""filelock: a file that is open is locked by its descriptor, and left as it is."""

from __future__ import annotations

from pathlib import Path

from filelock import lock_descriptor


def test_second_descriptor_of_a_locked_file_is_refused_until_the_first_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"content")
    with path.open("a+b") as second:
        with path.open("a+b") as first:
            assert lock_descriptor(first.fileno(), blocking=False)
            assert not lock_descriptor(second.fileno(), blocking=False)
        assert lock_descriptor(second.fileno(), blocking=False)
    assert [file.name for file in tmp_path.iterdir()] == ["file"]
    assert path.read_bytes() == b"content"
