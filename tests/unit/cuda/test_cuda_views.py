"""The arguments of kernels that tell of arrays of which parts are copied by one instruction."""

from __future__ import annotations

import ctypes
import struct
from typing import Any

import pytest

from gpucore_cuda.views import NBYTES, Views

OFFSET = 112


class Driver:
    """Keeps what is asked of it, and makes maps of a number."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def parameter_offset(self, function: int, index: int) -> int:
        self.asked.append((function, index))
        return OFFSET

    def encode_tensor_map(self, room: Any, kind: Any, rank: Any, address: Any, *rest: Any) -> None:
        lengths, strides, box, _, *modes = rest
        self.asked.append(
            (kind.value, rank.value, address.value, [*lengths], [*strides], [*box], [m.value for m in modes])
        )
        assert room.value % 64 == 0
        ctypes.memset(room.value, len(self.asked), NBYTES)


def arguments(*addresses: int, scalars: tuple[int, ...]) -> bytes:
    return struct.pack(f"@{len(addresses)}Q{len(scalars)}i", *addresses, *scalars)


def test_maps_are_made_of_addresses_and_lengths_and_kept() -> None:
    driver = Driver()
    payload = ((0, (0, 4, 8), 2, 64), (1, (8, 12), 1, 128))
    first = arguments(0x1000, 0x2000, 0x3000, scalars=(3, 50, 72, 96))
    views = Views(driver, 5, payload, 3, len(first))  # type: ignore[arg-type]  # a stand-in for a Driver
    assert driver.asked == [(5, 4)] and views.nbytes == OFFSET + 2 * NBYTES and views
    block = memoryview(bytearray(views.nbytes))
    block[: len(first)] = first
    views.fill(block)
    modes = [0, 3, 3, 0]
    assert driver.asked[1:] == [
        (1, 3, 0x1000, [72, 50, 3], [144, 7200], [64, 64, 1], modes),
        (0, 2, 0x2000, [96, 72], [96], [128, 128], modes),
    ]
    assert bytes(block[:OFFSET]) == first.ljust(OFFSET, b"\0")
    assert bytes(block[OFFSET:]) == b"\2" * NBYTES + b"\3" * NBYTES
    for address, made in ((0x4000, 4), (0x1000, 2)):  # another array, and the first one again
        block[:8] = struct.pack("@Q", address)
        views.fill(block)
        views.fill(block)
        assert bytes(block[OFFSET:]) == bytes([made]) * NBYTES + b"\3" * NBYTES
    assert len(driver.asked) == 4
    block[24 : len(first)] = struct.pack("@4i", 3, 50, 80, 96)  # a length that both have
    views.fill(block)
    assert [each[3] for each in driver.asked[4:]] == [[80, 50, 3], [96, 80]]


@pytest.mark.parametrize("payload", [None, ()])
def test_kernels_without_views_have_their_arguments_alone(payload: object) -> None:
    driver = Driver()
    views = Views(driver, 5, payload, 2, 20)  # type: ignore[arg-type]  # likewise
    assert not views and views.nbytes == 20 and driver.asked == []
