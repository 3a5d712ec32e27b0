"""The operations of the soak: each makes its own arrays, computes on one device, and compares all with NumPy.

Values are whole numbers that every dtype holds exactly, so results are equal, not near. An operation that finds a
wrong result raises AssertionError. Arguments come from `Case.numbers` alone, so a seed repeats them.
"""

from __future__ import annotations

import functools
import operator
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import gpucore as gp
from gpucore.simulator.device import SimulatorDevice

THREADS = 8
TILE = 64
BINS = 16


@gp.kernel
def scale_and_add(a: gp.i32, x: gp.In[gp.i32], y: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = a * x[i] + y[i]


@gp.kernel(workgroup_size=TILE)
def reverse_tiles(x: gp.In[gp.f32], y: gp.Out[gp.f32]):
    tile = gp.workgroup_array(gp.f32, TILE)
    i = gp.global_id(0)
    j = gp.local_id(0)
    if i < x.size:
        tile[j] = x[i]
    gp.barrier()
    if i < y.size:
        y[i] = tile[TILE - 1 - j]


@gp.kernel(workgroup_size=TILE)
def count_remainders(x: gp.In[gp.i32], counts: gp.InOut[gp.i32]):
    i = gp.global_id(0)
    if i < x.size:
        gp.atomic_add(counts, x[i] % BINS, 1)


@gp.kernel
def swap_components(x: gp.In[gp.f32x4], y: gp.Out[gp.f32x4]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = gp.f32x4(x[i].w, x[i].z, x[i].y, x[i].x) * 2.0


@gp.kernel
def power_in_loop(x: gp.In[gp.i32], times: gp.Const[int], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < y.size:
        value = x[i]
        for _ in range(times):
            value = value * 3 + 1
        y[i] = value


@gp.kernel(debug=True)
def read_beyond(x: gp.In[gp.i32], y: gp.Out[gp.i32], distance: gp.i32):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i + distance]


ADDS_A_CONSTANT = """
def adds(x: gp.In[gp.i32], y: gp.Out[gp.i32]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = x[i] + {constant}
"""


@dataclass(frozen=True)
class Case:
    """What an operation gets. No array is larger than `most` elements."""

    device: gp.Device
    numbers: np.random.Generator
    most: int
    number: int  # of the call

    def size(self, share: float = 1.0) -> int:
        """Small sizes as often as great ones."""
        return max(1, int(self.most * share * self.numbers.random() ** 2))

    def values(self, dtype: object = np.int32, shape: Any = None) -> np.ndarray[Any, Any]:
        """Whole numbers, at random."""
        return self.numbers.integers(0, 100, self.size() if shape is None else shape).astype(dtype)

    def put(self, values: np.ndarray[Any, Any], **options: Any) -> gp.Array:
        return gp.asarray(values, device=self.device, **options)

    def dtypes(self) -> list[Any]:
        """Those that sums and sorts of the device take."""
        found = [np.int32, np.uint32, np.float32]
        found += [np.int64, np.uint64] if self.device.supports("int64") else []
        return found + ([np.float64] if self.device.supports("f64") else [])


def equal(found: Any, expected: Any) -> None:
    """Raise AssertionError unless all elements are equal."""
    found = found.numpy() if isinstance(found, gp.Array) else np.asarray(found)
    expected = np.asarray(expected)
    assert found.shape == expected.shape, f"the shape is {found.shape}, not {expected.shape}"
    wrong = np.flatnonzero(found.reshape(-1) != expected.reshape(-1))
    assert not len(wrong), f"{len(wrong)} of {expected.size} elements are wrong, the first at {wrong[0]}"


def elementwise_kernel(case: Case) -> None:
    x, y, a = case.values(), None, int(case.numbers.integers(-50, 50))
    y = case.values(shape=len(x))
    on_device = case.put(y)
    scale_and_add(a, case.put(x), on_device)
    equal(on_device, a * x + y)


def kernel_with_barrier(case: Case) -> None:
    x = case.values(np.float32, -(-case.size() // TILE) * TILE)
    y = gp.empty(len(x), gp.f32, device=case.device)
    reverse_tiles(case.put(x), y)
    equal(y, x.reshape(-1, TILE)[:, ::-1].reshape(-1))


def kernel_with_atomics(case: Case) -> None:
    x = case.values()
    counts = gp.zeros(BINS, gp.i32, device=case.device)
    count_remainders(case.put(x), counts, invocations=len(x))
    equal(counts, np.bincount(x % BINS, minlength=BINS))


def kernel_of_vectors(case: Case) -> None:
    x = case.values(np.float32, (case.size(0.25), 4))
    source = gp.asarray(x, gp.f32x4, device=case.device)
    y = gp.empty_like(source)
    swap_components(source, y)
    equal(y, x[:, ::-1] * 2)


def kernel_of_a_constant(case: Case) -> None:
    """Few constants: later calls find the compiled kernel."""
    x, times = case.values(), int(case.numbers.integers(0, 4))
    y = gp.empty(len(x), gp.i32, device=case.device)
    power_in_loop(case.put(x), times, y)
    expected = functools.reduce(lambda value, _: value * 3 + 1, range(times), x)
    equal(y, expected)


def kernel_that_is_new(case: Case) -> None:
    """One that no call has had: it is lowered, compiled, and dropped."""
    constant = case.number
    kernel = gp.kernel_from_text(ADDS_A_CONSTANT.format(constant=constant))
    x = case.values()
    y = gp.empty(len(x), gp.i32, device=case.device)
    kernel(case.put(x), y)
    equal(y, x + constant)


def kernel_that_fails(case: Case) -> None:
    x = case.put(case.values())

    def call() -> None:
        read_beyond(x, gp.empty_like(x), x.size)
        case.device.synchronize()

    with pytest.raises(gp.OutOfRangeError):  # the simulator raises it at the call
        call()
    equal(x + 1, x.numpy() + 1)


def sorts(case: Case) -> None:
    chosen = case.dtypes()[case.numbers.integers(len(case.dtypes()))]
    keys = case.numbers.integers(0, 1 << 20, case.size()).astype(chosen)
    descending = bool(case.numbers.integers(2))
    expected = np.sort(keys)[::-1] if descending else np.sort(keys)
    equal(gp.sort(case.put(keys), descending), expected)


def sorts_by_key(case: Case) -> None:
    keys = case.numbers.permutation(case.size()).astype(np.uint32)
    values = case.values(np.int32, len(keys))
    sorted_keys, sorted_values = gp.sort_by_key(case.put(keys), case.put(values))
    equal(sorted_keys, np.sort(keys))
    equal(sorted_values, values[np.argsort(keys)])


def products(case: Case) -> None:
    m, k, n = (1 + int(case.numbers.integers(max(2, int(case.most**0.5)))) for _ in range(3))
    a, b = case.values(np.float32, (m, k)) % 8, case.values(np.float32, (k, n)) % 8
    equal(gp.matmul(case.put(a), case.put(b)), a @ b)  # whole numbers below 2**24: exact in every order


def sums_and_scans(case: Case) -> None:
    dtype = case.dtypes()[case.numbers.integers(len(case.dtypes()))]
    x = case.values(dtype)
    on_device = case.put(x)
    equal(gp.sum(on_device), x.sum())
    equal(gp.max(on_device), x.max())
    equal(gp.cumsum(on_device), np.cumsum(x))


def expressions(case: Case) -> None:
    x = case.values()
    y = case.values(shape=len(x))
    a, b = case.put(x), case.put(y)
    equal(gp.where(a > b, a * 2 + b, b - a), np.where(x > y, x * 2 + y, y - x))
    a[len(x) // 2 :] = b[len(x) // 2 :]
    equal(a, np.concatenate([x[: len(x) // 2], y[len(x) // 2 :]]))


def transfers(case: Case) -> None:
    x = case.values(np.uint8)
    on_device = case.put(x)
    equal(on_device, x)
    start = int(case.numbers.integers(len(x)))
    on_device[start:] = 7
    x[start:] = 7
    equal(on_device[start // 2 :], x[start // 2 :])
    with on_device.copy() as copied:
        on_device.set(np.zeros_like(x))
        equal(copied, x)


def copies_that_end_later(case: Case) -> None:
    x = case.values(np.float32)
    up, down = gp.empty_pinned(len(x), device=case.device), gp.empty_pinned(len(x), device=case.device)
    up[:] = x
    on_device = gp.empty(len(x), device=case.device)
    sent = on_device.copy_from(up)
    received = (on_device + 1.0).copy_to(down)
    received.wait()
    sent.wait()
    equal(down, x + 1)


def streams(case: Case) -> None:
    x = case.values()
    first, second = case.device.stream(), case.device.stream()
    one, other = case.put(x), case.put(x)
    with first:
        scale_and_add(2, one, other)  # 3 x
    with second:
        scale_and_add(3, other, one)  # 10 x
    with first:
        total = one + other
    equal(total, 13 * x)


def graphs(case: Case) -> None:
    x = case.values()
    one, other = case.put(x), case.put(x)
    with case.device.record(one=one) as graph:
        scale_and_add(2, one, other)
        scale_and_add(1, one, other)
    graph.replay()
    graph.replay(one=case.put(x + 1))
    equal(other, 7 * x + 3)


def threads(case: Case) -> None:
    """The same kernel object, distinct arrays."""
    given = [case.values(shape=case.size(0.25)) for _ in range(THREADS)]
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            x = given[number]
            y = case.put(x)
            for _ in range(3):
                scale_and_add(number, case.put(x), y)
            equal(y, (3 * number + 1) * x)
            equal(gp.sum(y), (3 * number + 1) * x.sum())
        except BaseException as error:  # noqa: BLE001 (raised again below)
            failures.append(error)

    started: list[threading.Thread] = []
    try:
        for number in range(THREADS):
            started.append(threading.Thread(target=work, args=(number,)))
            started[-1].start()
    finally:
        for thread in started:
            if thread.ident is not None:
                thread.join()
    if failures:
        raise failures[0]


def reopened(case: Case) -> None:
    """Closed, with work in the queue and arrays that live on; opened again, with kernels compiled again."""
    lost = case.put(case.values())
    scale_and_add(2, lost, gp.empty_like(lost))
    case.device.close()
    with pytest.raises(gp.ClosedError):
        lost.numpy()
    elementwise_kernel(Case(gp.device(case.device.id), case.numbers, case.most, case.number))


def mistakes(case: Case) -> None:
    """Calls that are refused leave nothing behind."""
    x = case.put(case.values(np.float32))
    with pytest.raises(gp.ArgumentError):
        scale_and_add(1, x, x)
    with pytest.raises(gp.ArgumentError):
        gp.matmul(x, x[:0])
    equal(x - x, np.zeros(x.size))


def wrong_on_purpose(case: Case) -> None:
    """Not of the load: SOAK_PLANT adds it, so that a test sees that a wrong result is found."""
    x = case.values()
    equal(case.put(x) + 1, x)


WEIGHTS: dict[Callable[[Case], None], int] = {
    elementwise_kernel: 8, kernel_with_barrier: 8, kernel_with_atomics: 8, kernel_of_vectors: 6,
    kernel_of_a_constant: 6, kernel_that_is_new: 1, kernel_that_fails: 2, sorts: 8, sorts_by_key: 4, products: 8,
    sums_and_scans: 8, expressions: 6, transfers: 8, copies_that_end_later: 6, streams: 4, graphs: 4, threads: 2,
    reopened: 1, mistakes: 2,
}  # fmt: skip
"""How often each is drawn."""


def most_elements(device: gp.Device) -> int:
    """The simulator runs Python for each invocation."""
    is_simulator = isinstance(device.driver_device.plugin_device, SimulatorDevice)
    return 300 if is_simulator else 30_000


def total_weight() -> int:
    return functools.reduce(operator.add, WEIGHTS.values())
