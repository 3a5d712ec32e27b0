"""Random kernels do the same on every device: 100 here, more by `make fuzz`."""

from __future__ import annotations

import pytest
from differential import OPTIMISED, devices
from hunting import Hunt

KERNELS, BATCH = 60, 10


@pytest.mark.parametrize("number", range(KERNELS // BATCH))
def test_devices_agree(number: int) -> None:
    hunt = Hunt(number, BATCH, matrices=0)  # which have their own tests
    hunt.run()
    assert hunt.programs == BATCH


def test_there_is_something_to_compare() -> None:
    assert OPTIMISED in devices()
