"""Whether the output of a candidate is right: by a function of the user, or by the expected arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gpucore.array import Array
from gpucore.errors import ArgumentError

Judge = Callable[[Any, tuple[Any, ...]], str]
"""`judge(output, problem)` is why an output is wrong; "" if it is right. It has waited for the device."""


def make_judge(verify: Any, rtol: float, atol: float) -> Judge:
    """The judge that `verify` means."""
    return _by_function(verify) if callable(verify) else _by_expected(verify, rtol, atol)


def arrays_in(value: Any) -> Iterator[Array]:
    """The device arrays in an output or a problem: itself, or in tuples, lists and dicts."""
    if isinstance(value, Array):
        yield value
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from arrays_in(each)
    elif isinstance(value, dict):
        yield from arrays_in([*value.values()])


def _by_function(verify: Callable[..., Any]) -> Judge:
    def judge(output: Any, problem: tuple[Any, ...]) -> str:
        try:
            found = verify(*problem) if output is None else verify(output)
        except AssertionError as error:
            return next(filter(None, map(str.strip, str(error).splitlines())), "an assertion of verify failed")
        if isinstance(found, str):
            return found
        if not isinstance(found, (bool, np.bool_)):
            raise ArgumentError(
                f"verify returned {found!r}; it must return True or False, or a text that says what is wrong, "
                'which is "" for a right output'
            )
        return "" if found else "verify returned False"

    return judge


def _by_expected(expected: Any, rtol: float, atol: float) -> Judge:
    wanted = [_on_host(each) for each in (expected if isinstance(expected, (tuple, list)) else [expected])]

    def judge(output: Any, problem: tuple[Any, ...]) -> str:
        if output is None:
            raise ArgumentError(
                "the candidate returned None, so there is nothing to compare with the expected arrays; return the "
                "output, or let verify be a function of the arguments of the problem"
            )
        found = [*map(_on_host, output if isinstance(output, (tuple, list)) else [output])]
        if len(found) != len(wanted):
            return f"the output is {len(found)} arrays, and {len(wanted)} are expected"
        problems = (_compare(own, other, rtol, atol) for own, other in zip(found, wanted, strict=True))
        return next(filter(None, problems), "")

    return judge


def _on_host(value: Any) -> Any:
    return value.numpy() if isinstance(value, Array) else np.asarray(value)


def _compare(found: Any, wanted: Any, rtol: float, atol: float) -> str:
    """Whether all elements are equal, or, of floats, as close as is allowed. NaN is equal to NaN."""
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return (
            f"the output is {found.dtype} of shape {found.shape}, and {wanted.dtype} of shape {wanted.shape} is "
            "expected"
        )
    is_close = found == wanted
    if wanted.dtype.names is None and wanted.dtype.kind not in "biu":
        a, b = found.astype(np.float64), wanted.astype(np.float64)
        with np.errstate(invalid="ignore"):
            is_close |= (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= atol + rtol * np.abs(b))
    if is_close.all():
        return ""
    place = int(np.argmin(is_close))
    hint = "" if rtol or atol or wanted.dtype.kind in "biu" else "; rtol= and atol= allow for roundings"
    return (
        f"{np.count_nonzero(~is_close)} of {wanted.size} elements are wrong: element {place} is "
        f"{found.flat[place]}, not {wanted.flat[place]}{hint}"
    )
