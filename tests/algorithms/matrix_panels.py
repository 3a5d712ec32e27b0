"""Matrices in panels, read by NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

PANEL, PIECE = 64, 8


def from_panels(panels: np.ndarray[Any, Any], count: int = 1) -> np.ndarray[Any, Any]:
    """The `count` matrices of an array of panels of 64 columns, in which piece p of row r is where piece p ^ (r % 8)
    would be."""
    number, rows, columns = panels.shape
    pieces = panels.reshape(number, rows, columns // PIECE, PIECE)
    places = np.arange(PANEL // PIECE) ^ (np.arange(rows) % 8)[:, None]
    ordered = np.take_along_axis(pieces, places[None, :, :, None], axis=2).reshape(count, number // count, rows, PANEL)
    return ordered.transpose(0, 2, 1, 3).reshape(count, rows, -1)
