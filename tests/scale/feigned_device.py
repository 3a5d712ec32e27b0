"""A device whose driver refuses memory beyond a limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import gpucore as gp


def feign_memory(monkeypatch: pytest.MonkeyPatch, device: gp.Device, most: int) -> Callable[[], int]:
    """Let the driver refuse to have more than `most` bytes allocated at once. Returns what asks for the peak."""
    device.free_memory()
    live = peak = 0
    driver: Any = device.driver_device
    allocate = driver.allocate

    def allocate_within(nbytes: int) -> Any:
        nonlocal live, peak
        if live + nbytes > most:
            raise gp.OutOfMemoryError(f"{nbytes} bytes, and {live} of {most} are in use")
        buffer = allocate(nbytes)
        live += nbytes
        peak = max(peak, live)
        release, is_held = buffer.release, True

        def release_once() -> None:
            nonlocal live, is_held
            if is_held:
                live, is_held = live - nbytes, False
            release()

        buffer.release = release_once
        return buffer

    monkeypatch.setattr(driver, "allocate", allocate_within)
    return lambda: peak
