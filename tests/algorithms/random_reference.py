"""Philox and what is made of its words, in NumPy, written apart from gpucore's own."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint32]

KNOWN = [
    ((0, 0), (0, 0, 0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 2, (0xFFFFFFFF,) * 4, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0xA4093822, 0x299F31D0),
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]
"""Key, counter and result: the lines `philox4x32 10` of kat_vectors, of D. E. Shaw Research's Random123."""

MASK = np.uint64(2**32 - 1)


def philox(key: Words, counter: Words) -> Words:
    """Philox 4x32-10 of rows of keys and counters."""
    k, c = key.astype(np.uint64).T.copy(), counter.astype(np.uint64).T.copy()
    for _ in range(10):
        first, third = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = np.stack([third >> 32 ^ c[1] ^ k[0], third & MASK, first >> 32 ^ c[3] ^ k[1], first & MASK])
        k = np.stack([k[0] + np.uint64(0x9E3779B9), k[1] + np.uint64(0xBB67AE85)]) & MASK
    return c.T.astype(np.uint32)


def words_of(seed: int, count: int) -> Words:
    """The first words of a seed."""
    blocks = -(-count // 4)
    counter = np.zeros((blocks, 4), np.uint32)
    counter[:, 0] = np.arange(blocks)
    key = np.tile(np.array([seed % 2**32, seed // 2**32], np.uint32), (blocks, 1))
    return philox(key, counter).reshape(-1)[:count]


def uniform(seed: int, count: int) -> npt.NDArray[np.float64]:
    """Numbers with 24 bits."""
    return (words_of(seed, count) >> 8) / 2.0**24


def uniform_53(seed: int, count: int) -> npt.NDArray[np.float64]:
    """Numbers with 53 bits."""
    words = words_of(seed, 2 * count).astype(np.uint64)
    return ((words[::2] >> 5) * np.uint64(2**26) + (words[1::2] >> 6)) / 2.0**53


def integers(seed: int, count: int, low: int, high: int) -> list[int]:
    """Whole numbers in Python's own arithmetic."""
    words = [int(word) for word in words_of(seed, 2 * count)]
    return [low + ((high - low) * (a + (b << 32)) >> 64) for a, b in zip(words[::2], words[1::2], strict=True)]


def normal(a: Words, b: Words) -> npt.NDArray[np.longdouble]:
    """Pairs by the method of Box and Muller, in extended precision."""
    wide, two = np.longdouble, np.longdouble(2)
    above, below = ((bits.astype(wide) + wide(0.5)) / two**32 for bits in (a, ~a))
    r = np.sqrt(-2 * np.where(above > 0.5, np.log1p(-below), np.log(above)))
    # pi / 4 times the offset from the nearest axis, which is exact
    axis = ((b.astype(np.int64) + 2**29) >> 30).astype(np.int64)
    offset = (b.astype(np.int64) - axis * 2**30).astype(wide) + wide(0.5)
    angle = offset / two**31 * (4 * np.arctan(wide(1)))
    x, y = r * np.cos(angle), r * np.sin(angle)
    turns = axis % 4
    return np.stack([np.choose(turns, [x, -y, -x, y]), np.choose(turns, [y, x, -y, -x])], 1)
