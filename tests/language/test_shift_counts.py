"""The count of a shift may be of another integer type than the number that is shifted, which gives the result's."""

from __future__ import annotations

import numpy as np

import gpucore as gp


@gp.kernel(workgroup_size=8)
def shifts(n: gp.In[gp.i32], bytes: gp.In[gp.u8], words: gp.Out[gp.u32, 2], numbers: gp.InOut[gp.i32, 2]):
    i = gp.global_id(0)
    if i < n.size:
        words[0, i] = gp.u32(0xF0000001) >> n[i]
        words[1, i] = gp.u32(0xF0000001) << bytes[i]
        numbers[0, i] = gp.i32(-7) << gp.u32(n[i])
        numbers[1, i] = gp.i32(-70000) >> bytes[i]
        numbers[1, i] <<= gp.u32(1)


def test_counts_of_other_types(device: gp.Device) -> None:
    n = np.arange(16, dtype=np.int32)
    words, numbers = gp.empty((2, 16), gp.u32, device=device), gp.empty((2, 16), gp.i32, device=device)
    given = gp.asarray(n, device=device), gp.asarray(n.astype(np.uint8), device=device)
    shifts(*given, words, numbers, invocations=16)
    word = np.full(16, 0xF0000001, np.uint32)
    counts = n.astype(np.uint32)
    np.testing.assert_array_equal(words.numpy(), np.stack([word >> counts, word << counts]))
    np.testing.assert_array_equal(numbers.numpy(), np.stack([np.int32(-7) << n, (np.int32(-70000) >> n) << 1]))
