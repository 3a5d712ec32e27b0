"""Work on the host's memory by several threads: one copies slower than a device's link does."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

_THREADS = min(8, os.cpu_count() or 1)
_BYTES_OF_A_THREAD = 16 << 20


def by_parts(length: int, nbytes: int, call: Callable[[int, int], None]) -> None:
    """Call with the begin and end of parts of a length, which together are so many bytes: of one, if these are few."""
    count = max(1, min(_THREADS, nbytes // _BYTES_OF_A_THREAD, length))
    ends = [length * number // count for number in range(count + 1)]
    if count == 1:
        call(0, length)
        return
    with ThreadPoolExecutor(count, "gpucore-parts") as threads:
        for done in [threads.submit(call, *part) for part in pairwise(ends)]:
            done.result()
