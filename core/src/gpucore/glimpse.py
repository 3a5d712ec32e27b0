"""The first and the last elements of an array, as text."""

from __future__ import annotations

import html
from typing import Any

import numpy as np

from gpucore.conversion import bytes_of
from gpucore.device import Device
from gpucore.errors import ClosedError, DeviceLostError
from gpucore.runtime.protocol import Buffer
from gpucore.types import ElementDType

_EDGE = 3  # elements at each end


def glimpse(device: Device, buffer: Buffer, offset: int, size: int, dtype: ElementDType) -> str | None:
    """The elements in row-major order, those in the middle left out; None while work is queued that may change them."""
    whole = size <= 2 * _EDGE
    parts = [(0, size)] if whole else [(0, _EDGE), (size - _EDGE, _EDGE)]
    texts: list[str] = []
    for first, count in parts:
        values = np.empty((count, dtype.width) if dtype.width > 1 else count, dtype.dtype)
        try:
            if count and not device.peek(buffer, bytes_of(values), offset + first * dtype.itemsize):
                return None
        except (ClosedError, DeviceLostError):
            return None
        texts.append(", ".join(_text(value) for value in values))
    return f"[{', ..., '.join(texts)}]"


def _text(value: Any) -> str:
    return f"[{', '.join(map(_text, value))}]" if isinstance(value, np.ndarray) else str(value)


def table(rows: dict[str, str]) -> str:
    """A small table for notebooks."""
    cells = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(text)}</td></tr>" for name, text in rows.items())
    return f"<table>{cells}</table>"
