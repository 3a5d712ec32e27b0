"""What is measured, but for the first calls: inputs, sizes, what is timed, and how the whole result is checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gpucore.bench.checks import Product, check_axpy, check_equal, check_loop
from gpucore.bench.libraries import (
    BOUND,
    CALLS,
    IN_A_GRAPH,
    OVERLAPPED,
    PIECES,
    WITH_WAITS,
    A,
    HostArray,
    Launches,
    Library,
    repeated,
)
from gpucore.bench.rounds import Timed, call_time, wall_time

_PAGEABLE, _PINNED = "pageable", "pinned"  # kinds of host memory
_LEAST_LOOP, _MOST_LOOP = 1 << 20, 1 << 26  # bytes of a piece
_LAUNCH_SIZE = 1000  # elements
_FACTOR = 1.7  # of elementwise


class Unit(NamedTuple):
    """The unit of a figure: a time, or a rate."""

    name: str
    size: float  # in seconds, or in what is counted
    is_rate: bool = True  # more is better

    def figure(self, seconds: float, amount: float) -> float:
        """The figure of work of some amount (bytes, keys, operations) that takes some seconds."""
        return amount / seconds / self.size if self.is_rate else seconds / self.size


MICROSECONDS, MILLISECONDS = Unit("us", 1e-6, False), Unit("ms", 1e-3, False)
_KEYS, _FLOPS, _BYTES = Unit("Mkeys/s", 1e6), Unit("GFLOP/s", 1e9), Unit("GB/s", 1e9)

Prepared = tuple[Timed, Callable[[], str]]
"""What is timed, and a check of its whole result, which returns the problem."""


@dataclass(frozen=True)
class Case:
    """One row of a table."""

    benchmark: str
    what: str
    size: int
    size_text: str
    unit: Unit
    amount: float  # of what a rate counts, in one run
    inputs: Callable[[int], Any]  # by size; with the expected result where it takes long to compute
    prepare: Callable[[Library, Any], Prepared | None]  # None: the library does not have it
    effort: float  # what the time grows with from size to size
    nbytes: int  # that a library holds at the same time, in about


class Sizes(NamedTuple):
    """The sizes of a benchmark: all, those of a short run, and those of the simulator."""

    full: tuple[int, ...]
    quick: tuple[int, ...]
    simulator: tuple[int, ...]


def _powers(low: int, high: int, step: int = 1) -> tuple[int, ...]:
    return tuple(1 << exponent for exponent in range(low, high + 1, step))


SIZES = {
    "launch": Sizes((_LAUNCH_SIZE,), (_LAUNCH_SIZE,), (_LAUNCH_SIZE,)),  # elements
    "transfer": Sizes(_powers(12, 28, 2), _powers(12, 20, 4), _powers(12, 12)),  # bytes
    "sort": Sizes(_powers(10, 26, 2), _powers(10, 18, 4), _powers(8, 8)),  # keys
    "matmul": Sizes(_powers(8, 12), _powers(8, 9), _powers(4, 4)),  # rows
    "elementwise": Sizes(_powers(20, 27), _powers(18, 20, 2), _powers(10, 10)),  # elements
    "reduce": Sizes(_powers(20, 27), _powers(18, 20, 2), _powers(10, 10)),  # elements
    "stream": Sizes(_powers(20, 28, 2), _powers(18, 20, 2), _powers(10, 10)),  # elements
}
"""By benchmark. `first_calls` has those of compile."""


def cases_of(benchmark: str, size: int) -> Iterator[Case]:
    """The cases of a benchmark at one size."""
    return _CASES[benchmark](size)


def _describe_power(size: int) -> str:
    return f"2^{size.bit_length() - 1}"


def _describe_bytes(size: int) -> str:
    return f"{size >> 10} KiB" if size < 1 << 20 else f"{size >> 20} MiB"


def _floats(seed: int, *shape: int) -> HostArray:
    return np.random.default_rng(seed).random(shape, dtype=np.float32) * 2 - 1


# ---------------------------------------------------------------- launch


def _launch_cases(size: int) -> Iterator[Case]:
    for what, prepare in (
        ("launch", _prepare_launch),
        (BOUND, partial(_prepare_other_launch, BOUND)),
        (IN_A_GRAPH, partial(_prepare_other_launch, IN_A_GRAPH)),
        ("launch and wait", _prepare_launch_and_wait),
        ("new array (gp.empty)", _prepare_empty),
    ):
        yield Case("launch", what, size, f"{size}", MICROSECONDS, 1, _launch_inputs, prepare, 1, 8 * size)


def _launch_inputs(size: int) -> tuple[HostArray, HostArray]:
    return _floats(1, size), _floats(2, size)


def _prepare_launch(library: Library, inputs: Any) -> Prepared | None:
    if library.is_waiting:
        return None
    x, y = (library.asarray(host) for host in inputs)
    return _prepare_launches(library, inputs, y, repeated(library.launch(x, y)))


def _prepare_other_launch(name: str, library: Library, inputs: Any) -> Prepared | None:
    x, y = (library.asarray(host) for host in inputs)
    launches = library.other_launches(x, y).get(name)
    return launches and _prepare_launches(library, inputs, y, launches)


def _prepare_launches(library: Library, inputs: Any, y: Any, launches: Launches) -> Prepared:
    run, calls = launches
    x_before, y_before = inputs

    def check() -> str:
        run()
        return check_axpy(A, x_before, y_before, library.numpy(y), calls)

    return call_time(run, calls, library.finish), check


def _prepare_launch_and_wait(library: Library, inputs: Any) -> Prepared:
    x, y = (library.asarray(host) for host in inputs)
    launch = library.launch(x, y)
    x_before, y_before = inputs

    def check() -> str:
        launch()
        return check_axpy(A, x_before, y_before, library.numpy(y))

    return wall_time(launch, library.finish), check


def _prepare_empty(library: Library, inputs: Any) -> Prepared | None:
    if not library.has_memory:
        return None
    size = inputs[0].size

    def run() -> None:
        for _ in range(CALLS):
            library.empty(size)

    def check() -> str:
        result = library.numpy(library.empty(size))
        return check_equal(np.zeros_like(result), np.zeros_like(inputs[0]))  # the contents are not defined

    return call_time(run, CALLS, library.finish), check


# ---------------------------------------------------------------- transfer


def _transfer_cases(size: int) -> Iterator[Case]:
    for direction, prepare in (("host to device", _prepare_upload), ("device to host", _prepare_download)):
        for memory in (_PAGEABLE, _PINNED):
            yield Case("transfer", f"{direction}, {memory}", size, _describe_bytes(size), _BYTES, size,
                       _transfer_inputs, partial(prepare, memory), size, 2 * size)  # fmt: skip
    if _LEAST_LOOP <= size <= _MOST_LOOP:
        moved, held = 2 * PIECES * size, (2 * PIECES + 2) * size
        for kind in (WITH_WAITS, OVERLAPPED):
            yield Case("transfer", f"upload, 3 kernels, download, {kind}", size, _describe_bytes(size), _BYTES, moved,
                       _loop_inputs, partial(_prepare_loop, kind), size, held)  # fmt: skip


def _transfer_inputs(size: int) -> tuple[HostArray, HostArray]:
    """Random values, and an array for what is copied back."""
    host = _floats(3, size // 4)
    return host, np.zeros_like(host)


def _loop_inputs(size: int) -> list[HostArray]:
    return [_floats(10 + number, size // 4) for number in range(PIECES)]


def _prepare_loop(kind: str, library: Library, pieces: list[HostArray]) -> Prepared | None:
    loop = library.loop(kind, pieces)
    if loop is None:
        return None
    run, results = loop

    def check() -> str:
        run()
        library.finish()
        problems = (check_loop(piece, result) for piece, result in zip(pieces, results, strict=True))
        return next(filter(None, problems), "")

    return wall_time(run, library.finish), check


def _prepare_upload(memory: str, library: Library, inputs: Any) -> Prepared | None:
    host, upload = inputs[0], library.upload
    if memory == _PINNED:
        host, upload = library.pinned(host), library.upload_pinned
    if host is None or not library.has_memory:
        return None
    array = library.empty(host.size)

    def run() -> None:
        upload(array, host)

    def check() -> str:
        run()
        return check_equal(library.numpy(array), host)

    return wall_time(run, library.finish), check


def _prepare_download(memory: str, library: Library, inputs: Any) -> Prepared | None:
    (host, back), download = inputs, library.download
    if memory == _PINNED:
        back, download = library.pinned(back), library.download_pinned
    if back is None or not library.has_memory:
        return None
    array = library.asarray(host)

    def run() -> None:
        download(array, back)

    def check() -> str:
        back[:] = 0
        run()
        library.finish()
        return check_equal(back, host)

    return wall_time(run, library.finish), check


# ---------------------------------------------------------------- sort


def _sort_cases(size: int) -> Iterator[Case]:
    for what, prepare in (("on the device", _prepare_sort), ("from NumPy to NumPy", _prepare_sort_and_copies)):
        yield Case("sort", f"sort u32 {what}", size, _describe_power(size), _KEYS, size, _sort_inputs, prepare,
                   size * math.log2(size), 16 * size)  # fmt: skip


def _sort_inputs(size: int) -> tuple[HostArray, HostArray]:
    keys = np.random.default_rng(4).integers(0, 1 << 32, size, dtype=np.uint32)
    return keys, np.sort(keys)


def _prepare_sort(library: Library, inputs: Any) -> Prepared | None:
    sort = library.operations.get("sort")
    if sort is None:
        return None
    keys = library.asarray(library.encode(inputs[0]))

    def check() -> str:
        return check_equal(library.decode(library.numpy(sort(keys))), inputs[1])

    return library.timed(lambda: sort(keys)), check


def _prepare_sort_and_copies(library: Library, inputs: Any) -> Prepared | None:
    sort = library.operations.get("sort")
    if sort is None:
        return None
    keys = library.encode(inputs[0])

    def run() -> HostArray:
        return library.numpy(sort(library.operand(keys)))

    return wall_time(run), lambda: check_equal(library.decode(run()), inputs[1])


# ---------------------------------------------------------------- matmul, elementwise, reduce


def _matmul_cases(size: int) -> Iterator[Case]:
    effort = 2.0 * size**3
    yield Case("matmul", "matmul f32", size, f"{size}", _FLOPS, effort, Product.random, _prepare_matmul, effort,
               12 * size**2)  # fmt: skip


def _prepare_matmul(library: Library, product: Product) -> Prepared | None:
    matmul = library.operations.get("matmul")
    if matmul is None:
        return None
    a, b = library.asarray(product.a), library.asarray(product.b)
    return library.timed(lambda: matmul(a, b)), lambda: product.check(library.numpy(matmul(a, b)))


def _elementwise_cases(size: int) -> Iterator[Case]:
    nbytes = 12 * size
    yield Case("elementwise", "a*x + y, f32", size, _describe_power(size), _BYTES, nbytes, _elementwise_inputs,
               _prepare_elementwise, size, nbytes)  # fmt: skip


def _elementwise_inputs(size: int) -> tuple[HostArray, HostArray]:
    return _floats(5, size), _floats(6, size)


def _prepare_elementwise(library: Library, inputs: Any) -> Prepared | None:
    axpy = library.operations.get("axpy")
    if axpy is None:
        return None
    x_host, y_host = inputs
    x, y, a = library.asarray(x_host), library.asarray(y_host), float(np.float32(_FACTOR))

    def check() -> str:
        return check_axpy(a, x_host, y_host, library.numpy(axpy(a, x, y)))

    return library.timed(lambda: axpy(a, x, y)), check


def _reduce_cases(size: int) -> Iterator[Case]:
    nbytes = 4 * size
    yield Case("reduce", "sum f32", size, _describe_power(size), _BYTES, nbytes, _reduce_inputs, _prepare_reduce, size,
               nbytes)  # fmt: skip


def _reduce_inputs(size: int) -> HostArray:
    """Whole numbers from -8 to 8: all sums of parts of them are exact in f32, so the order of summation, which each
    library chooses, does not matter."""
    return np.random.default_rng(7).integers(-8, 9, size, dtype=np.int8).astype(np.float32)


def _prepare_reduce(library: Library, inputs: Any, name: str = "sum") -> Prepared | None:
    total = library.operations.get(name, library.operations.get("sum"))
    if total is None:
        return None
    x = library.asarray(inputs)
    expected = inputs.sum(dtype=np.float64).astype(np.float32).reshape(1)
    return library.timed(lambda: total(x)), lambda: check_equal(library.numpy(total(x)).reshape(-1), expected)


# ---------------------------------------------------------------- stream


def _stream_cases(size: int) -> Iterator[Case]:
    for what, count, inputs, prepare in (
        ("y = a*x + y, f32", 3, _elementwise_inputs, _prepare_update),
        ("copy, f32", 2, _elementwise_inputs, _prepare_copy),
        ("sum in grid strides, f32", 1, _reduce_inputs, partial(_prepare_reduce, name="sum in strides")),
    ):
        nbytes = 4 * count * size
        yield Case("stream", what, size, _describe_power(size), _BYTES, nbytes, inputs, prepare, size, nbytes)


def _prepare_update(library: Library, inputs: Any) -> Prepared:
    x, y = (library.asarray(host) for host in inputs)
    launch = library.launch(x, y)
    x_before, y_before = inputs

    def check() -> str:
        launch()
        return check_axpy(A, x_before, y_before, library.numpy(y))

    return library.timed(launch), check


def _prepare_copy(library: Library, inputs: Any) -> Prepared | None:
    copy = library.operations.get("copy")
    if copy is None:
        return None
    x, y = (library.asarray(host) for host in inputs)

    def check() -> str:
        copy(x, y)
        return check_equal(library.numpy(y), inputs[0])

    return library.timed(lambda: copy(x, y)), check


_CASES: dict[str, Callable[[int], Iterator[Case]]] = {
    "launch": _launch_cases, "transfer": _transfer_cases, "sort": _sort_cases, "matmul": _matmul_cases,
    "elementwise": _elementwise_cases, "reduce": _reduce_cases, "stream": _stream_cases,
}  # fmt: skip
