"""Turn a model to bytes, and make it again from them: with the same digest, verdicts, scores and reasons.

A model follows from the sample of its site, the options, and the release. It is kept only to spare the time of a fit.
"""

from __future__ import annotations

from dataclasses import fields

from scrapy_blockfilter.array_bytes import VERSION, ArrayReader, StateError, pack, parts, unpack
from scrapy_blockfilter.hashing import digest_of
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.methods import get_method
from scrapy_blockfilter.model.learnt import Learnt
from scrapy_blockfilter.model.site_model import SiteModel
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.options.methods import MethodOptions

# To be raised whenever the same sample and options may give another model, or its state has other values.
FIT_VERSION = 2


def conditions_of(options: Options) -> str:
    """Return a digest of all that a model depends on beside its sample and the release."""
    method = get_method(options.method)
    chosen = {option.name: getattr(options, option.name) for option in fields(MethodOptions)}
    chosen["method_args"] = options.arguments(method.arguments)
    return digest_of((VERSION, FIT_VERSION, options.pages, str(options.segmentation), chosen, method.weights()))


def to_bytes(model: SiteModel, about: bytes) -> bytes | None:
    """Return a model as bytes; None if its method is always fitted anew, or if the model is too large.

    Args:
        about: what the model belongs to; :func:`from_bytes` must be given the same.
    """
    fitted = model.fitted.state()
    if fitted is None:
        return None
    try:
        return pack(parts(fitted=fitted, learnt=model.learnt.state()), about)
    except StateError:
        return None


def from_bytes(data: object, about: bytes, reader: Reader, pages: int | None = None) -> SiteModel:
    """Return the model that :func:`to_bytes` made to bytes, under the same conditions.

    Args:
        pages: number of pages of the sample that it was fitted to, if known.

    Raises:
        StateError: the bytes are damaged, or come from elsewhere.
    """
    return restored_model(unpack(data, about), reader, pages)


def restored_model(state: ArrayReader, reader: Reader, pages: int | None = None) -> SiteModel:
    """Return the model with this state, of the parts ``fitted`` and ``learnt``.

    Args:
        pages: as for :func:`from_bytes`.

    Raises:
        StateError: no model has this state.
    """
    options = reader.options
    fitted = get_method(options.method).restored(state.part("fitted"), options)
    learnt = Learnt.restored(state.part("learnt"), options)
    # Each block of a page is compared with as many pages, so a wrong number would take any memory.
    if pages not in (None, learnt.pages) or fitted.pages_compared() > learnt.pages:
        raise StateError("fitted to other pages than there are")
    return SiteModel(reader, fitted, learnt)
