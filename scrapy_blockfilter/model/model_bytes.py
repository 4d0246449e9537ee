"""Turn a model to bytes that say what they belong to, for a file, a broadcast or a column of a table.

The form is that of :mod:`scrapy_blockfilter.array_bytes`. A method without a stored state is kept as the sample of the
site; one that looks at each page by itself needs nothing at all.
"""

from __future__ import annotations

from scrapy_blockfilter.array_bytes import ArrayReader, StateError, Values, pack, parts, unpack
from scrapy_blockfilter.html.reader import Reader
from scrapy_blockfilter.methods import get_method
from scrapy_blockfilter.model.fitting import fit
from scrapy_blockfilter.model.restoring import conditions_of, restored_model
from scrapy_blockfilter.model.site_model import SiteModel
from scrapy_blockfilter.options import Options
from scrapy_blockfilter.release import __version__
from scrapy_blockfilter.sample import SiteSample
from scrapy_blockfilter.sample.site_sample import MAX_BYTES

_ABOUT = b"model"
# Characters of a release, and of a digest.
_MAX_NAME = 64


def to_bytes(model: SiteModel) -> bytes:
    """Return a model as bytes.

    Raises:
        ValueError: its method has no stored state, and its sample is not there.
    """
    head: Values = {"release": __version__, "conditions": conditions_of(model.options)}
    fitted = model.fitted.state()
    if fitted is not None:
        return pack(head | parts(fitted=fitted, learnt=model.learnt.state()), _ABOUT, MAX_BYTES)
    if get_method(model.options.method).single_page:
        return pack(head, _ABOUT, MAX_BYTES)
    if model.sample is None:
        raise ValueError(f"a model of {model.options.method} is kept as its sample, which this one does not have")
    return pack(head | parts(sample=model.sample.state()), _ABOUT, MAX_BYTES)


def from_bytes(data: object, options: Options) -> SiteModel:
    """Return the model that :func:`to_bytes` made to bytes.

    Raises:
        StateError: the bytes are no model, or not one of these options and this release.
    """
    state = unpack(data, _ABOUT, MAX_BYTES)
    if state.text("release", _MAX_NAME) != __version__:
        raise StateError("a model of another release: fit its sample again")
    if state.text("conditions", _MAX_NAME) != conditions_of(options):
        raise StateError("a model that was fitted with other options")
    if state.has("fitted"):
        return restored_model(state, Reader(options))
    return _fitted_again(state, options)


def _fitted_again(state: ArrayReader, options: Options) -> SiteModel:
    if get_method(options.method).single_page:
        return fit(SiteSample(1), Reader(options))
    sample = SiteSample.restored(state.part("sample"))
    try:
        model = fit(sample, Reader(options))
    except ValueError as error:
        raise StateError(str(error)) from error
    model.sample = sample
    return model
