"""What the tests of calls share: arrays on the simulator, and the text of an error."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import gpucore as gp


def array(*shape: int, dtype: object = gp.f32) -> gp.Array:
    """Zeros on the simulator."""
    return gp.zeros(shape, dtype, device="simulator")


def closed() -> gp.Array:
    made = array(4)
    made.close()
    return made


def message(call: Callable[[], object], kind: type[gp.GpucoreError] = gp.ArgumentError) -> str:
    """The text of the error of a call, which must be of exactly that class."""
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    return str(caught.value)
