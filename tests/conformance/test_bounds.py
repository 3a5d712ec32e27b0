"""What the bounds of functions grant, and what they do not."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.testing.bounds import FUNCTION_CASES, FunctionCase, draw, exact_of
from gpucore.testing.checks import check_ulp

LOGARITHMS = [case for case in FUNCTION_CASES if case.name in ("log", "log2")]


def check_off_by(case: FunctionCase, argument: float, error: float) -> None:
    x = np.array([argument], np.float32)
    exact = exact_of(case, (x,))
    check_ulp((exact + error).astype(np.float32), exact, case.ulp_at(x), case.absolute_at(x), case.name)


@pytest.mark.parametrize("case", LOGARITHMS, ids=lambda case: case.name)
def test_the_absolute_error_of_logarithms_is_granted_around_one_only(case: FunctionCase) -> None:
    error = 7 * 2.0**-24  # less than 2**-21; of results from 1/2 to 2, 7 or 3.5 ulp
    for argument in (0.5, 0.75, 1.0, 1.001, 2.0):
        check_off_by(case, argument, error)
    for argument in (0.499, 2.01):
        check_off_by(case, argument, 0.0)
        with pytest.raises(AssertionError, match=r"bound 3 ulp"):
            check_off_by(case, argument, error)


@pytest.mark.parametrize("case", LOGARITHMS, ids=lambda case: case.name)
def test_arguments_are_drawn_on_both_sides_of_where_the_bound_changes(case: FunctionCase) -> None:
    (x,) = draw(case, 1000)
    for low, high in ((0.25, 0.5), (0.5, 1), (1, 2), (2, 4)):
        assert np.count_nonzero((low < x) & (x < high)) > 30


def test_other_absolute_errors_hold_everywhere() -> None:
    sine = next(case for case in FUNCTION_CASES if case.name == "sin")
    assert (sine.absolute_at(np.array([-3, 0, 3], np.float32)) == sine.absolute).all()
