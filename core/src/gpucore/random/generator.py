"""Philox 4x32-10, a counter-based generator: ten rounds of multiplications turn a counter into four random words.

J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
"""

from __future__ import annotations

import gpucore.lang as gp
from gpucore.hints import u32x2, u32x4

ROUNDS = 10


@gp.func
def philox(key: u32x2, counter: u32x4) -> u32x4:
    """Four random words for a counter, in kernels: Philox 4x32-10 of Salmon, Moraes, Dror and Shaw (SC 2011).

    `key` is a u32x2, such as the two halves of a seed; `counter` a u32x4, different in each call with the same key; the
    result a u32x4. Each word is uniform over all u32. The same arguments give the same words on every device.
    """
    k0, k1 = key[0], key[1]
    c0, c1, c2, c3 = counter[0], counter[1], counter[2], counter[3]
    for _ in gp.unroll(range(ROUNDS)):
        high0, low0 = gp.mul_hi(c0, 0xD2511F53), c0 * 0xD2511F53
        high2, low2 = gp.mul_hi(c2, 0xCD9E8D57), c2 * 0xCD9E8D57
        c0, c1, c2, c3 = high2 ^ c1 ^ k0, low2, high0 ^ c3 ^ k1, low0
        k0 += 0x9E3779B9
        k1 += 0xBB67AE85
    return u32x4(c0, c1, c2, c3)
