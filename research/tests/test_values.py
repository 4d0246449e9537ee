"""Labels of values: the blocks of a page that hold them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from research.training.values import blocks_of_values


def test_each_block_that_holds_a_value_may_keep_it() -> None:
    texts = ["Cameras", "Canon EOS R8", "Canon EOS R8 in black", "Price", "1 499 EUR"]
    assert blocks_of_values(texts, ["Canon EOS R8", "1 499 EUR"]) == ((1, 2), (4,))


def test_a_short_value_is_not_found_in_a_long_block() -> None:
    texts = ["doors open at 15 for all who have a ticket and wait", "at 15"]
    assert blocks_of_values(texts, ["15"]) == ((1,),)


def test_each_part_of_a_value_that_is_spread_over_blocks_must_stay() -> None:
    texts = ["whisk the eggs", "menu", "until they are white"]
    assert blocks_of_values(texts, ["Whisk the eggs until they are white."]) == ((2,), (0,))


def test_a_value_in_no_block_is_left_out() -> None:
    assert blocks_of_values(["menu", ""], ["Zürich", ""]) == ()


def test_one_block_of_a_value_and_sure_boilerplate_alone_cost() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (dependency group train)")
    from research.training.batches import HELD_DOWN, Batch

    batch = Batch.__new__(Batch)
    batch.numbers = [0, 1]
    batch.page = torch.tensor([0, 0, 0, 1])
    batch.holding, batch.value = torch.tensor([0, 1]), torch.tensor([0, 0])
    batch.value_page = torch.tensor([0])
    batch.labels, batch.tokens = torch.tensor([1.0, 1.0, 1.0, 0.0]), torch.ones(4)
    losses = batch.loss_of_values(torch.tensor([-5.0, 2.0, 9.0, 3.0]))
    expected = [math.log1p(math.exp(-2.0)), HELD_DOWN * math.log1p(math.exp(3.0)) / 21]
    assert np.allclose(losses.numpy(), expected, atol=1e-6)
