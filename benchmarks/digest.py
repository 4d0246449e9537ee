"""A corpus's digest, by which figures, weights and floors say which files they come from."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from benchmarks.corpus import CorpusError, Site, find_sites


def corpus_digest(sites: Iterable[Site]) -> str:
    """Hash the files of some sites: set names, file names and bytes.

    Raises:
        CorpusError: a file cannot be read.
    """
    digest = blake2b(digest_size=16)
    for name, path in sorted((f"{site.set_name}/{site.path.name}", site.path) for site in sites):
        try:
            content = path.read_bytes()
        except OSError as error:
            raise CorpusError(f"{path} cannot be read: {error}") from error
        digest.update(f"{name}\n{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def digest_of(*corpora: Path) -> str:
    """Hash the files of all sites of some corpora.

    Raises:
        CorpusError: a corpus or a file of it cannot be read.
    """
    return corpus_digest(site for corpus in corpora for site in find_sites(corpus))
