"""The inputs of html5lib's tests, from its source distribution; ``make test`` puts it into the environment.

They are the origin of the web platform's parser tests: pages for tokens, for tree building, and for encodings.
"""

from __future__ import annotations

import json
import sys
import tarfile
from pathlib import Path

import pytest

_ARCHIVE = Path(sys.prefix) / "parser-tests" / "html5lib-1.1.tar.gz"
_DATA = "html5lib-1.1/html5lib/tests/testdata/"


def _files(folder: str, ending: str) -> dict[str, bytes]:
    if not _ARCHIVE.exists():
        pytest.skip(f"no parser tests: {_ARCHIVE} is missing, which `make test` downloads")
    with tarfile.open(_ARCHIVE) as archive:
        members = [
            member
            for member in archive.getmembers()
            if member.isfile() and member.name.startswith(_DATA + folder) and member.name.endswith(ending)
        ]
        files = {member.name.removeprefix(_DATA): archive.extractfile(member) for member in members}
        return {name: file.read() for name, file in files.items() if file is not None}


def tokenizer_inputs() -> list[str]:
    """Return each input, after the start tag that puts the tokenizer into the test's state, if it names one."""
    inputs = []
    for data in _files("tokenizer", ".test").values():
        for case in next(iter(json.loads(data).values())):
            page = case["input"]
            if case.get("doubleEscaped"):
                page = json.loads(f'"{page}"')
            tag = case.get("lastStartTag")
            inputs.append(f"<{tag}>{page}" if tag else page)
    return inputs


def tree_inputs() -> list[str]:
    inputs = []
    for data in _files("tree-construction", ".dat").values():
        inputs += [case.partition("\n#errors")[0] for case in data.decode().split("#data\n")[1:]]
    return inputs


def encoding_inputs() -> list[bytes]:
    inputs = []
    for data in _files("encoding", ".dat").values():
        inputs += [case.partition(b"\n#encoding")[0] for case in data.split(b"#data\n")[1:]]
    return inputs
