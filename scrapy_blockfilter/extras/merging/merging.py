"""Make one store of several: of each site the pages that one crawl would have kept of all.

The result is the same in any order of stores, and when one of them is merged again. The second layout in one store
may be the first in another, so layouts are matched by their pages, not by their numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta
from functools import reduce
from typing import NamedTuple

from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.signature import FITS, Signature, is_of, marks_of
from scrapy_blockfilter.store.keys import (
    MAX_LAYOUTS,
    is_misfits,
    layout_key,
    main_site,
    misfits_key,
    split_stored_key,
    stored_key,
)
from scrapy_blockfilter.store.template_store import MAX_SUSPECTS, Mergeable, Seen, Suspect

# A crawl may run for weeks. What was learnt longer ago than this is of another one, and sites change meanwhile.
APART = timedelta(days=60)


class Contents(NamedTuple):
    """The size of a store: numbers of sites, of pages in all layouts, and of corrections in effect."""

    sites: int
    pages: int
    corrections: int


def contents(store: Mergeable) -> Contents:
    """Count what a store holds."""
    keys = store.stored_keys()
    rows = store.correction_rows()
    return Contents(len(set(map(main_site, keys))), sum(map(store.count, keys)), sum(not row.undone for row in rows))


def learnt_apart(stores: Sequence[Mergeable]) -> list[str]:
    """Return the sites that one store met last so long before another met them first that they may have changed."""
    days: dict[str, list[tuple[date, date]]] = {}
    for store in stores:
        for key, seen in store.stored_keys().items():
            with suppress(TypeError, ValueError):  # no days, in a file that someone else has written
                of_key = date.fromisoformat(seen.first[:10]), date.fromisoformat(seen.last[:10])
                days.setdefault(main_site(key), []).append(of_key)
    return sorted(
        site
        for site, of_site in days.items()
        if max(first for first, _ in of_site) - min(last for _, last in of_site) > APART
    )


def merge(parts: Sequence[Mergeable], target: Mergeable, pages: int) -> int:
    """Merge stores into another one, and return how many sites changed there.

    Samples keep K ``pages``, or as many as the largest sample of the site in some store.
    """
    stores = [target, *parts]
    of_sites: dict[tuple[str, str], dict[str, None]] = {}
    keys_of = [store.stored_keys() for store in stores]
    for keys in keys_of:
        for key in sorted(keys):
            of_sites.setdefault((main_site(key), split_stored_key(key)[1]), {})[key] = None
    changed = 0
    for (site, segmenter), known in of_sites.items():
        limit = max(pages, *(store.count(key) for store, keys in zip(stores, keys_of, strict=True) for key in known))
        held = [
            {key: store.load(key, limit) for key in known if key in keys}
            for store, keys in zip(stores, keys_of, strict=True)
        ]
        merged = {stored_key(key, segmenter): sample for key, sample in _merged(site, held, limit).items()}
        times = [keys[key] for keys in keys_of for key in known if key in keys]
        seen = Seen(min(time.first for time in times), max(time.last for time in times))
        before, after = ({key: one.digest() for key, one in samples.items()} for samples in (held[0], merged))
        if before != after:
            target.replace(merged, seen, known.keys() - merged.keys())
            changed += 1
        _merge_suspects(stores, stored_key(site, segmenter))
    target.write_corrections(row for store in parts for row in store.correction_rows())
    return changed


def _merged(site: str, held: Sequence[Mapping[str, SiteSample]], limit: int) -> dict[str, SiteSample]:
    """Return the samples of a site, by the keys of their layouts without the segmenter."""
    samples = {sample.digest(): sample for of_store in held for key, sample in of_store.items() if not is_misfits(key)}
    misfits = [sample for of_store in held for key, sample in of_store.items() if is_misfits(key)]
    layouts, strange = _layouts([samples[digest] for digest in sorted(samples) if samples[digest].records], limit)
    layouts.sort(key=lambda sample: (-len(sample), sample.digest()))
    merged = {layout_key(site, number): sample for number, sample in enumerate(layouts[:MAX_LAYOUTS], 1)}
    left = _union([*misfits, *strange], limit)
    if left.records:
        merged[misfits_key(site)] = left
    return merged


def _layouts(samples: Sequence[SiteSample], limit: int) -> tuple[list[SiteSample], list[SiteSample]]:
    """Return one sample for each layout, and samples that fit no layout because they have too few pages."""
    if len(samples) < 2:
        return list(samples), []
    signatures = [Signature([marks_of(page) for page in sample.pages()]) for sample in samples]
    groups: list[list[int]] = []
    for number, signature in enumerate(signatures):
        if not signature.tells:
            continue
        alike = [
            group
            for group in groups
            if any(is_of(signature, samples[other]) or is_of(signatures[other], samples[number]) for other in group)
        ]
        groups = [group for group in groups if group not in alike]
        groups.append([number, *(other for group in alike for other in group)])
    small = [sample for sample, signature in zip(samples, signatures, strict=True) if not signature.tells]
    if not groups:
        return [_union(small, limit)], []
    layouts = [_union([samples[number] for number in group], limit) for group in groups]
    layouts.sort(key=SiteSample.digest)
    strange = []
    known = [Signature([marks_of(page) for page in layout.pages()]) for layout in layouts]
    for sample in small:
        (page, *_) = sample.pages()
        closeness = [signature.closeness(marks_of(page)) for signature in known]
        best = max(range(len(closeness)), key=closeness.__getitem__)
        if closeness[best] >= FITS:
            layouts[best] = _union([layouts[best], sample], limit)
        else:
            strange.append(sample)
    return layouts, strange


def _union(samples: Iterable[SiteSample], limit: int) -> SiteSample:
    return reduce(SiteSample.merge, samples, SiteSample(limit))


def _merge_suspects(stores: Sequence[Mergeable], key: str) -> None:
    """Keep the newest pages of all that may have lost content."""
    newest: dict[str, tuple[str, str]] = {}
    for store in stores:
        for suspect in store.suspects(key):
            newest[suspect.url] = max((suspect.noted, suspect.reason), newest.get(suspect.url, ("", "")))
    rows = sorted((noted, url, reason) for url, (noted, reason) in newest.items())[-MAX_SUSPECTS:]
    suspects = [Suspect(url, reason, noted) for noted, url, reason in rows]
    if suspects != list(stores[0].suspects(key)):
        stores[0].note_suspects(key, suspects, ())
