"""The models of a store that were fitted under the same options, by the same release: for crawls and for other code."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import NamedTuple

from scrapy.utils.project import get_project_settings

from scrapy_blockfilter.crawl.stores import in_project
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.identity.site_keys import rule_of
from scrapy_blockfilter.methods import get_method
from scrapy_blockfilter.model import SiteModel, fit
from scrapy_blockfilter.model.restoring import conditions_of, from_stored, stored_bytes
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.options.converters import PASSWORD, STORES, scheme_of
from scrapy_blockfilter.options.selectors import Corrections, why_unusable
from scrapy_blockfilter.sample import SAMPLE_GROWTH, SiteSample
from scrapy_blockfilter.storable.array_bytes import StateError
from scrapy_blockfilter.store import MemoryStore, ModelVersion, SqliteStore, StoreKind, TemplateStore
from scrapy_blockfilter.store.errors import is_begun, no_store
from scrapy_blockfilter.store.keys import MAX_LAYOUTS, layout_key, stored_key
from scrapy_blockfilter.store.model_rows import about

logger = logging.getLogger(__name__)


class FittedModels:
    """The fitted models of a store. Every method may raise :class:`scrapy_blockfilter.store.StoreError`."""

    def __init__(self, store: TemplateStore, reader: Reader) -> None:
        self._store = store
        self._reader = reader
        self._limit = SAMPLE_GROWTH * reader.options.pages
        self._conditions = conditions_of(reader.options)

    def load(self, site: str) -> tuple[SiteModel, Sequence[int]] | None:
        """Return the model of a site's sample as it is now, and the hashes of the pages there, or None.

        The model may be fitted to fewer pages. Damaged bytes raise StateError.
        """
        stored = self._store.load_model(site, self._limit, self._conditions)
        if stored is None:
            return None
        owner = about(site, self._conditions, stored.sample)
        return from_stored(stored.data, owner, self._reader, len(stored.pages)), stored.pages

    def load_or_fit(self, site: str, sample: SiteSample) -> SiteModel:
        """Return the model of a site from the store, or else fit it to the sample."""
        with suppress(StateError):
            model, pages = self.load(site) or (None, ())
            if model is not None and model.pages == len(pages):
                return model
        return fit(sample, self._reader)

    def keep(self, site: str, sample: SiteSample, model: SiteModel) -> None:
        """Keep a model with the sample in the store, which may have grown since the fit. Note one of N pages."""
        if model.pages >= model.options.pages:
            version = model.options.method, model.pages, model.digest, len(model.templates), model.usual_kept
            self._store.note(site, ModelVersion(*version))
        if not self._store.keeps_models:
            return
        digest = sample.digest()
        data = stored_bytes(model, about(site, self._conditions, digest))
        if data is not None:
            self._store.save_model(site, self._limit, self._conditions, digest, data)


def usable_corrections(site: str, corrections: Corrections) -> Corrections:
    """Return the corrections that can be applied, and log the others. A store may hold text from anyone."""
    unusable = {selector: why for selector in (*corrections.keep, *corrections.drop) if (why := why_unusable(selector))}
    for selector, why in unusable.items():
        message = "The correction %.200r of %s is not applied: %s. Undo it by `scrapy blockfilter undo`."
        logger.warning(message, selector, site, why)
    keep, drop = (tuple(one for one in selectors if one not in unusable) for selectors in corrections[:2])
    return Corrections(keep, drop, corrections.by)


class Layout(NamedTuple):
    number: int
    sample: SiteSample
    model: SiteModel


def layouts_of(store: TemplateStore, site: str, options: Options) -> list[Layout]:
    """Return the layouts of a site that have pages, with the models of a crawl."""
    models = FittedModels(store, Reader(options))
    found = []
    for number in range(1, MAX_LAYOUTS + 1):
        key = stored_key(layout_key(site, number), options.segmentation)
        sample = store.load(key, SAMPLE_GROWTH * options.pages)
        if len(sample):
            found.append(Layout(number, sample, models.load_or_fit(key, sample)))
    return found


def model_of(url: str, store: str | PathLike[str] = "", options: Options | None = None) -> SiteModel:
    """Return the stored model of the site that a URL belongs to, with its corrections.

    Callbacks, ``scrapy shell``, tests and notebooks may use it. :meth:`SiteModel.clean` then judges a page as a crawl
    would, by the layout that it fits best. The store is read once, and nothing is written: ask once for each site.

    Args:
        url: of any page of the site.
        store: the URL of a store, or its path, which begins at the folder of ``scrapy.cfg`` if it is relative; by
            default that of the options.
        options: those of the crawl; by default those of the project's settings, if the current folder has a project.

    Raises:
        ValueError: the URL is of no site.
        FileNotFoundError: there is no such store.
        LookupError: the store has no page of the site. A site with fewer than N pages has a model of them;
            ``model.pages`` is their number.
        scrapy_blockfilter.store.StoreError: the store cannot be read.
    """
    options = options or Options.from_settings(get_project_settings())
    if store:
        options = replace(options, store=fspath(store))
    site = rule_of(options)(url) if isinstance(url, str) else None
    if site is None:
        raise ValueError(f"{str(url)[:200]!r} is of no site: give a whole URL, with its http://")
    with closing(_opened(options)) as opened:
        layouts = layouts_of(opened, site, options)
        corrections = usable_corrections(site, opened.corrections().get(site, Corrections()))
    if get_method(options.method).single_page:
        layouts = [Layout(1, SiteSample(0), fit(SiteSample(0), Reader(options)))]
    if not layouts:
        place = PASSWORD.sub("", options.store) if scheme_of(options.store) else in_project(options.store)
        raise LookupError(
            f"nothing is learnt of {site!r} in {place}: crawl it with the add-on, or run `scrapy blockfilter learn` "
            "on pages of it; `scrapy blockfilter sites` lists the sites there are"
        )
    first, *others = (layout.model.corrected(corrections) for layout in layouts)
    for model, layout in zip((first, *others), layouts, strict=True):
        model.sample = layout.sample
    # A crawl, too, judges by a further layout from N pages on.
    first.others = [model for model in others if model.pages >= options.pages]
    return first


def _opened(options: Options) -> TemplateStore:
    if scheme := scheme_of(options.store):
        kind: StoreKind = STORES.load(scheme)
        return kind.open(options.store, options, is_awaited=True)
    path = in_project(options.store)
    if is_begun(Path(path)):
        return SqliteStore(path, max_bytes=options.store_max_bytes, replaces=False)
    if get_method(options.method).single_page:
        return MemoryStore()
    raise FileNotFoundError(no_store(path, "the argument store"))
