"""What a device lacks is an error before anything is emitted, which names the place, the device and the way out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import gpucore as gp


def is_refused(device: gp.Device, capability: str, call: Callable[[], Any]) -> bool:
    """Whether the device lacks the capability; then the call must raise the error that says so."""
    if device.supports(capability):
        return False
    with pytest.raises(gp.CapabilityError) as caught:
        call()
    error = caught.value
    assert error.code == "GP401"
    assert error.span is not None
    assert device.id in str(error)
    assert repr(capability) in error.why
    assert error.fix
    return True
