"""Tensor maps: what an instruction that copies a part of an array is told of the array, as arguments of kernels.

The kernel takes them after the packed scalars. They hold addresses and lengths, so they are made for each launch; those
of earlier launches are kept.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gpucore.plugin.c_family import PartView

if TYPE_CHECKING:
    from gpucore_cuda.driver import Driver

NBYTES = 128
"""Of a CUtensorMap."""

_ALIGNMENT = 64  # of a CUtensorMap
_DATA_TYPES = {1: 0, 2: 1, 4: 2}  # by bytes of an element: CU_TENSOR_MAP_DATA_TYPE_UINT8, ..._UINT16, ..._UINT32
_INTERLEAVE_NONE, _SWIZZLE_128B, _L2_PROMOTION_256B, _FILL_NONE = 0, 3, 3, 0
_POINTER, _LENGTH = 8, 4  # bytes of an address and of a length among the arguments
_MOST_KEPT = 256


class Views:
    """The maps among the arguments of a function, of `nbytes` bytes without them."""

    def __init__(self, driver: Driver, function: int, payload: object, num_buffers: int, nbytes: int) -> None:
        self._driver, self._given, self._scalars = driver, nbytes, num_buffers * _POINTER
        self._views = [PartView(*plain) for plain in payload] if isinstance(payload, tuple) else []
        # the compiler aligns their addresses, and parameters begin at no multiple of the alignment
        self._first = driver.parameter_offset(function, num_buffers + 1) if self._views else 0
        self.nbytes = self._first + len(self._views) * NBYTES if self._views else nbytes
        self._last = b""
        self._kept: dict[tuple[int, bytes], bytes] = {}

    def fill(self, block: memoryview) -> None:
        """Put the maps of the arrays that the arguments in the block name behind them."""
        given = bytes(block[: self._given])
        if given == self._last:
            return
        self._last = b""  # Ctrl-C may come in between
        for number, view in enumerate(self._views):
            key = given[view.buffer * _POINTER :][:_POINTER]
            for offset in view.lengths:
                key += given[self._scalars + offset :][:_LENGTH]
            found = self._kept.get((number, key))
            if found is None:
                if len(self._kept) >= _MOST_KEPT:
                    self._kept.clear()
                address, *lengths = struct.unpack(f"@Q{len(view.lengths)}i", key)
                found = self._kept[number, key] = encode(self._driver, address, lengths, view.nbytes, view.shape)
            at = self._first + number * NBYTES
            block[at : at + NBYTES] = found
        self._last = given

    def __bool__(self) -> bool:
        return bool(self._views)


def encode(driver: Driver, address: int, lengths: Sequence[int], nbytes: int, part: tuple[int, int]) -> bytes:
    """The map of an array of contiguous rows, of which parts of so many rows and columns are copied in panels."""
    rank, axes = len(lengths), list(reversed(lengths))
    strides = [nbytes * axes[0]]
    for length in axes[1:-1]:
        strides.append(strides[-1] * length)
    boxes = [part[1], part[0], *[1] * (rank - 2)]
    room = ctypes.create_string_buffer(NBYTES + _ALIGNMENT)
    offset = -ctypes.addressof(room) % _ALIGNMENT
    driver.encode_tensor_map(
        ctypes.c_void_p(ctypes.addressof(room) + offset), ctypes.c_int(_DATA_TYPES[nbytes]), ctypes.c_uint32(rank),
        ctypes.c_void_p(address), (ctypes.c_uint64 * rank)(*axes), (ctypes.c_uint64 * (rank - 1))(*strides),
        (ctypes.c_uint32 * rank)(*boxes), (ctypes.c_uint32 * rank)(*[1] * rank), ctypes.c_int(_INTERLEAVE_NONE),
        ctypes.c_int(_SWIZZLE_128B), ctypes.c_int(_L2_PROMOTION_256B), ctypes.c_int(_FILL_NONE),
    )  # fmt: skip
    return room.raw[offset : offset + NBYTES]
