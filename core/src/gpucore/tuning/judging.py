"""Whether the output of a candidate is right: by a function of the user, or by the expected arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gpucore.array import Array
from gpucore.device import Device
from gpucore.errors import ArgumentError
from gpucore.runtime.protocol import Buffer

_POISON = 0x5A  # in the memory of outputs that were judged
_RUNS = 8  # of a candidate whose output is judged, at most: as many free memories there may be

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


class Problem:
    """Arguments, as they were given before each output that is judged."""

    def __init__(self, device: Device, arguments: tuple[Any, ...]) -> None:
        self.arguments, self._device = arguments, device
        self._given = [(array, array.copy()) for array in arrays_in(arguments)]

    def output_of(self, run: Callable[..., Any]) -> Any:
        """The output of a run, which has ended.

        An output that is not complete must not be right by what is left in its memory. So the candidate runs until its
        output is in memory that was overwritten after a run before.
        """
        overwritten: set[Buffer] = set()
        output: Any = None
        for left in reversed(range(_RUNS)):
            output = made = None  # their memory is free now
            self.restore()
            output = run(*self.arguments)
            self._device.synchronize()
            made = self._made_arrays(output)
            memory = {array.storage.buffer for array in made}
            if not left or memory <= overwritten:
                break
            self.overwrite(output)
            overwritten |= memory
        return output

    def overwrite(self, output: Any) -> None:
        """Overwrite the arrays of an output that are not in the problem."""
        for array in self._made_arrays(output):
            array.write_elements(np.full(array.nbytes, _POISON, np.uint8))

    def restore(self) -> None:
        """Make the arrays what they were."""
        for array, before in self._given:
            array.set(before)

    def _made_arrays(self, output: Any) -> list[Array]:
        own = [array for array, _ in self._given]
        return [
            array
            for array in arrays_in(output)
            if array.nbytes and not any(array is each or array.overlaps(each) for each in own)
        ]


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
