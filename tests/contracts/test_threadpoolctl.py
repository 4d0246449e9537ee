"""threadpoolctl: the number of threads of the libraries that multiply matrices is read and set."""

from __future__ import annotations

import numpy as np
from threadpoolctl import ThreadpoolController


def test_the_threads_of_each_library_are_set_and_set_back() -> None:
    np.ones((2, 2)) @ np.ones((2, 2))  # loads the library
    for library in ThreadpoolController().select(user_api="blas").lib_controllers:
        before = library.get_num_threads()
        if before is None:
            continue
        library.set_num_threads(1)
        assert library.get_num_threads() == 1
        library.set_num_threads(before)
        assert library.get_num_threads() == before
