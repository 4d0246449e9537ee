"""Turn a model to bytes, and make it again from them: with the same digest, verdicts, scores and reasons.

A model follows from the sample of its site, the options, and the release: keeping it only spares the time of a fit. A
store keeps it beside the sample. A file or a column of a table has no sample, so the bytes say what they belong to, and
are those of the sample if the method has no stored state.
"""

from __future__ import annotations

from dataclasses import fields

from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.methods import get_method
from scrapy_blockfilter.model.learnt import Learnt
from scrapy_blockfilter.model.site_model import SiteModel, fit
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.options.methods import EveryMethod, MethodOptions
from scrapy_blockfilter.release import __version__
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.site_sample import MAX_BYTES
from scrapy_blockfilter.storable.array_bytes import VERSION, ArrayReader, StateError, Values, pack, parts, unpack
from scrapy_blockfilter.storable.hashing import digest_of

# Raise this version whenever the same sample and options may give another model, or its state has other values.
FIT_VERSION = 6
_ABOUT = b"model"
# Characters of a release, and of a digest.
_MAX_NAME = 64


def conditions_of(options: Options) -> str:
    """Return a digest of all that a model depends on beside its sample."""
    method = get_method(options.method)
    chosen = {option.name: getattr(options, option.name) for option in fields(MethodOptions)}
    chosen["method_args"] = options.arguments(EveryMethod), options.arguments(method.arguments)
    versions = __version__, VERSION, FIT_VERSION
    return digest_of((*versions, options.pages, str(options.segmentation), chosen, method.weights()))


def stored_bytes(model: SiteModel, about: bytes) -> bytes | None:
    """Return a model as bytes; None if its method is always fitted anew, or if the model is too large.

    Args:
        about: what the model belongs to; :func:`from_stored` must be given the same.
    """
    fitted = model.fitted.state()
    if fitted is None:
        return None
    try:
        return pack(parts(fitted=fitted, learnt=model.learnt.state()), about)
    except StateError:
        return None


def from_stored(data: object, about: bytes, reader: Reader, pages: int | None = None) -> SiteModel:
    """Return the model that :func:`stored_bytes` made to bytes, under the same conditions.

    Args:
        pages: number of pages of its sample, if known. A provisional model may be fitted to fewer.

    Raises:
        StateError: the bytes are damaged, or come from elsewhere.
    """
    return _restored(unpack(data, about), reader, pages)


def _restored(state: ArrayReader, reader: Reader, pages: int | None = None) -> SiteModel:
    options = reader.options
    fitted = get_method(options.method).restored(state.part("fitted"), options)
    learnt = Learnt.restored(state.part("learnt"), options)
    # Each block of a page is compared with as many pages, so a wrong number would take any memory.
    if (pages is not None and learnt.pages > pages) or fitted.pages_compared() > learnt.pages:
        raise StateError("fitted to more pages than there are")
    return SiteModel(reader, fitted, learnt)


def to_bytes(model: SiteModel) -> bytes:
    """Do the work of :meth:`SiteModel.to_bytes`."""
    values: Values = {"release": __version__, "conditions": conditions_of(model.options)}
    fitted = model.fitted.state()
    if fitted is not None:
        values |= parts(fitted=fitted, learnt=model.learnt.state())
    elif not get_method(model.options.method).single_page:
        if model.sample is None:
            raise ValueError(f"a model of {model.options.method} is kept as its sample, which this one does not have")
        values |= parts(sample=model.sample.state())
    return pack(values, _ABOUT, MAX_BYTES)


def from_bytes(data: object, options: Options) -> SiteModel:
    """Do the work of :meth:`SiteModel.from_bytes`."""
    state = unpack(data, _ABOUT, MAX_BYTES)
    if state.text("release", _MAX_NAME) != __version__:
        raise StateError("a model of another release: fit its sample again")
    if state.text("conditions", _MAX_NAME) != conditions_of(options):
        raise StateError("a model that was fitted with other options")
    if state.has("fitted"):
        return _restored(state, Reader(options))
    if get_method(options.method).single_page:
        return fit(SiteSample(1), Reader(options))
    sample = SiteSample.restored(state.part("sample"))
    try:
        model = fit(sample, Reader(options))
    except ValueError as error:
        raise StateError(str(error)) from error
    model.sample = sample
    return model
