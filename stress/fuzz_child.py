"""The process that fuzzes: LibFuzzer calls it with ever new inputs, led by which lines of the package these reach.

``python -m stress.fuzz_child FOLDER SECONDS SEED`` is started by :mod:`stress.fuzz`, which reads the folder afterwards.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["scrapy_blockfilter"]):
    import scrapy_blockfilter.render.markdown
    import scrapy_blockfilter.report.page_report
    import scrapy_blockfilter.report.viewer  # noqa: F401
    from stress.fuzz_inputs import MAX_BYTES, Target, changed, seeds, words

# Inputs that are kept of each kind of fault, and faults of which inputs are kept.
_OF_A_KIND, _KINDS = 2, 50
# Seconds after which an input counts as hanging, and MB of the process at which it ends.
HANG, MOST_MEMORY = 60, 3_000
# One line at the end is enough. Slow inputs are told by the time of the processor, not by the clock.
_OPTIONS = ("-verbosity=0", "-print_final_stats=1", "-detect_leaks=0", f"-timeout={HANG}", "-report_slow_units=1000")


def main() -> None:
    """Fuzz, and write each kind of fault with its inputs to the folder. LibFuzzer ends the process."""
    folder, seconds, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    target = Target.made()
    seen: dict[str, int] = {}

    def judge(data: bytes) -> None:
        for fault in target.faults_of(data)[:1]:
            kind = fault.partition(":")[0] if " raises " not in fault else fault
            seen[kind] = seen.get(kind, 0) + 1
            if seen[kind] <= _OF_A_KIND and len(seen) <= _KINDS:
                keep(folder, data, fault)

    def mutate(data: bytes, most: int, number: int) -> bytes:
        return changed(data, most, number, atheris.Mutate)

    corpus = folder / "corpus"
    corpus.mkdir()
    for number, one in enumerate(seeds()):
        (corpus / f"{number}").write_bytes(one)
    dictionary = folder / "words"
    dictionary.write_text("\n".join(words()), encoding="ascii")
    limits = (f"-max_total_time={seconds}", f"-max_len={MAX_BYTES}", f"-rss_limit_mb={MOST_MEMORY}", f"-seed={seed}")
    places = (f"-dict={dictionary}", f"-artifact_prefix={folder / 'ended'}-", str(corpus))
    atheris.Setup([sys.argv[0], *_OPTIONS, *limits, *places], judge, custom_mutator=mutate)
    atheris.Fuzz()


def keep(folder: Path, data: bytes, fault: str) -> None:
    """Write an input and its fault, under the next free number."""
    number = len(list(folder.glob("*.input")))
    (folder / f"{number}.input").write_bytes(data)
    (folder / f"{number}.fault").write_text(fault, encoding="utf-8", errors="replace")


if __name__ == "__main__":
    main()
