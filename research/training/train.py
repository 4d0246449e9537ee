"""Train the weights that the package ships.

The same corpora, seeds and versions give the same file, byte for byte, on the same machine. ``--hold-out report``
trains without the part that ``benchmarks.report`` measures. Such weights ship, so figures are of what users get. They
have seen part ``choose``: weights of ``--hold-out choose report`` tell there how a threshold does on unseen sites.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from benchmarks.arguments import add_arguments, refusing
from benchmarks.corpus import CorpusError, Site, corpus_digest, find_sites
from benchmarks.kinds import group_of, usual_kind
from benchmarks.parts import PARTS, parts_of, value_parts
from benchmarks.trained import write_network
from benchmarks.unshipped import WEIGHTS

# One per network that teaches the one that ships.
SEEDS = (3, 4, 5)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    if find_spec("torch") is None:
        parser.exit(2, f"{parser.prog}: PyTorch is not installed: make .venv/.train\n")
    with refusing(parser):
        sites = [site for corpus in options.corpora for site in find_sites(corpus)]
        values = [site for corpus in options.values for site in find_sites(corpus)]
        parts = {**parts_of(sites), **value_parts(values, sites)}
        held_out = [site for site, part in parts.items() if part in options.hold_out]
        weights = trained_weights(
            sites, values, options.seeds, options.processes, held_out, options.hold_out, options.without
        )
    options.output.write_bytes(weights)
    print(f"{options.output} is written: {len(weights):,} bytes")
    return 0


def trained_weights(
    sites: Sequence[Site],
    values: Sequence[Site],
    seeds: Sequence[int],
    processes: int,
    held_out: Sequence[Site] = (),
    held_out_parts: Sequence[str] = (),
    left_out: str = "",
) -> bytes:
    """Return the bytes of a file of weights, trained on all sites but those held out.

    Args:
        values: sites whose values alone are known.
        left_out: a group of features that the network does not see, to measure what the group brings.
    """
    import torch

    from research.training import training

    if left_out not in ("", *training.GROUPS):
        raise CorpusError(f"there is no group of features {left_out!r}: name one of {', '.join(training.GROUPS)}")
    left = set(held_out)
    labelled = training.label_sites([site for site in (*sites, *values) if site not in left], processes)
    if not labelled:
        raise CorpusError("there is no page that can be read to train on")
    groups = Counter(
        group_of(site.set_name, usual_kind(page.kind for page in site.pages)) for site in labelled.values()
    )
    about = {
        "corpus": corpus_digest(sites),
        "values": corpus_digest(values),
        "held_out": " ".join(held_out_parts) or None,
        "sites": dict(sorted(groups.items())),
        "pages": sum(len(site.pages) for site in labelled.values()),
        "seeds": list(seeds),
        "epochs": [training.EPOCHS, training.TAUGHT_EPOCHS],
        "torch": torch.__version__,
        "numpy": np.__version__,
        **({"left_out": left_out} if left_out else {}),
    }
    network = training.train([*labelled.values(), *training.small_sites()], seeds, processes, left_out)
    return write_network(network, about)


def _seeds(value: str) -> tuple[int, ...]:
    return tuple(int(number) for number in value.split(","))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m research.training.train", description=__doc__)
    add_arguments(parser, "corpora", "--processes")
    parser.add_argument(
        "--values", type=Path, nargs="*", default=(), metavar="CORPUS", help="folders of sites whose values are known"
    )
    parser.add_argument(
        "--seeds", type=_seeds, default=SEEDS, help="comma-separated seeds, one per teaching network (3,4,5)"
    )
    parser.add_argument(
        "--hold-out",
        choices=PARTS,
        nargs="+",
        default=(),
        metavar="PART",
        help="train without the sites of these parts: build, choose, report",
    )
    parser.add_argument("--without", default="", metavar="GROUP", help="train without a group of features (with all)")
    parser.add_argument(
        "--output", type=Path, default=WEIGHTS, metavar="FILE", help="file for the weights (in the package)"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
