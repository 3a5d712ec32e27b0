"""What is measured, but for the first calls: inputs, sizes, what is timed, and how the whole result is checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from gpucore.bench.case import BYTES, FLOPS, MICROSECONDS, Case, Prepared, Sizes, describe_power, powers, random_floats
from gpucore.bench.checks import Product, check_axpy, check_bits, check_equal, check_loop
from gpucore.bench.libraries import (
    BACK_TO_BACK,
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
from gpucore.bench.products import product_cases
from gpucore.bench.sorts import sort_cases
from gpucore.bench.sums import compact_cases, histogram_cases, prepare_operation, reduce_cases, scan_cases, whole_floats
from gpucore.tuning.rounds import call_time, wall_time

COPY = "copy"
"""What gives the bandwidth of memory, in which others have a share."""
_PAGEABLE, _PINNED = "pageable", "pinned"  # kinds of host memory
_LEAST_LOOP, _MOST_LOOP = 1 << 20, 1 << 26  # bytes of a piece
_LAUNCH_SIZE = 1000  # elements
_FACTOR = 1.7  # of elementwise

SIZES = {
    "launch": Sizes((_LAUNCH_SIZE,), (_LAUNCH_SIZE,), (_LAUNCH_SIZE,)),  # elements
    "transfer": Sizes(powers(12, 28, 2), powers(12, 20, 4), powers(12, 12)),  # bytes
    "sort": Sizes(powers(8, 30), powers(10, 18, 4), powers(8, 8)),  # keys
    "matmul": Sizes(powers(8, 12), powers(8, 9), powers(4, 4)),  # rows
    "products": Sizes(
        (512, 1001, 1024, 2048, 4096, 4099, 8192), (101, 128, 256), (8, 9), (128, 256, 1001, 1024)
    ),  # the largest of rows, columns and inner length
    "elementwise": Sizes(powers(20, 27), powers(18, 20, 2), powers(10, 10)),  # elements
    "reduce": Sizes(powers(20, 27), powers(18, 20, 2), powers(10, 10)),  # elements
    "scan": Sizes(powers(20, 28, 2), powers(18, 20, 2), powers(10, 10)),  # elements
    "histogram": Sizes(powers(20, 28, 4), powers(18, 20, 2), powers(10, 10)),  # elements
    "compact": Sizes(powers(20, 28, 4), powers(18, 20, 2), powers(10, 10)),  # elements
    "stream": Sizes(powers(20, 28, 2), powers(18, 20, 2), powers(10, 10)),  # elements
    COPY: Sizes(powers(25, 27, 2), powers(24, 24), powers(10, 10)),  # elements: more than caches hold
}
"""By benchmark. `first_calls` has those of compile."""


def cases_of(benchmark: str, size: int) -> Iterator[Case]:
    """The cases of a benchmark at one size."""
    return _CASES[benchmark](size)


def _describe_bytes(size: int) -> str:
    return f"{size >> 10} KiB" if size < 1 << 20 else f"{size >> 20} MiB"


# ---------------------------------------------------------------- launch


def _launch_cases(size: int) -> Iterator[Case]:
    for what, prepare in (
        ("launch", _prepare_launch),
        (BOUND, partial(_prepare_other_launch, BOUND)),
        (IN_A_GRAPH, partial(_prepare_other_launch, IN_A_GRAPH)),
        ("launch and wait", partial(_prepare_one_launch, True)),
        ("new array (gp.empty)", _prepare_empty),
    ):
        yield Case("launch", what, size, f"{size}", MICROSECONDS, 1, _launch_inputs, prepare, 1, 8 * size)


def _launch_inputs(size: int) -> tuple[HostArray, HostArray]:
    return random_floats(1, size), random_floats(2, size)


def _prepare_launch(library: Library, inputs: Any) -> Prepared | None:
    if library.is_waiting:
        return None
    x, y = (library.asarray(host) for host in inputs)
    launch = library.launch(x, y)
    return launch and _prepare_launches(library, inputs, y, repeated(launch))


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


def _prepare_one_launch(with_wait: bool, library: Library, inputs: Any) -> Prepared | None:
    """One launch, timed by the host with the wait for it, or as the library times its work."""
    x, y = (library.asarray(host) for host in inputs)
    launch = library.launch(x, y)
    if launch is None:
        return None
    x_before, y_before = inputs

    def check() -> str:
        launch()
        return check_axpy(A, x_before, y_before, library.numpy(y))

    return wall_time(launch, library.finish) if with_wait else library.device_times(launch), check


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
            yield Case("transfer", f"{direction}, {memory}", size, _describe_bytes(size), BYTES, size,
                       _transfer_inputs, partial(prepare, memory), size, 2 * size)  # fmt: skip
    if _LEAST_LOOP <= size <= _MOST_LOOP:
        moved, held = 2 * PIECES * size, (2 * PIECES + 2) * size
        for kind in (WITH_WAITS, OVERLAPPED):
            yield Case("transfer", f"upload, 3 kernels, download, {kind}", size, _describe_bytes(size), BYTES, moved,
                       _loop_inputs, partial(_prepare_loop, kind), size, held)  # fmt: skip


def _transfer_inputs(size: int) -> tuple[HostArray, HostArray]:
    """Random values, and an array for what is copied back."""
    host = random_floats(3, size // 4)
    return host, np.zeros_like(host)


def _loop_inputs(size: int) -> list[HostArray]:
    return [random_floats(10 + number, size // 4) for number in range(PIECES)]


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


# ---------------------------------------------------------------- matmul, elementwise


def _matmul_cases(size: int) -> Iterator[Case]:
    effort = 2.0 * size**3
    yield Case("matmul", "matmul f32", size, f"{size}", FLOPS, effort, Product.random, _prepare_matmul, effort,
               12 * size**2)  # fmt: skip


def _prepare_matmul(library: Library, product: Product) -> Prepared | None:
    matmul = library.operations.get("matmul")
    if matmul is None:
        return None
    a, b = library.asarray(product.a), library.asarray(product.b)
    return library.timed(lambda: matmul(a, b)), lambda: product.check(library.numpy(matmul(a, b)))


def _elementwise_cases(size: int) -> Iterator[Case]:
    nbytes = 12 * size
    yield Case("elementwise", "a*x + y, f32", size, describe_power(size), BYTES, nbytes, _elementwise_inputs,
               _prepare_elementwise, size, nbytes, nbytes)  # fmt: skip


def _elementwise_inputs(size: int) -> tuple[HostArray, HostArray]:
    return random_floats(5, size), random_floats(6, size)


def _prepare_elementwise(library: Library, inputs: Any) -> Prepared | None:
    axpy = library.operations.get("axpy")
    if axpy is None:
        return None
    x_host, y_host = inputs
    x, y, a = library.asarray(x_host), library.asarray(y_host), float(np.float32(_FACTOR))

    def check() -> str:
        return check_axpy(a, x_host, y_host, library.numpy(axpy(a, x, y)))

    return library.timed(lambda: axpy(a, x, y)), check


# ---------------------------------------------------------------- stream


def _stream_cases(size: int) -> Iterator[Case]:
    for what, count, inputs, measure in (
        ("y = a*x + y, f32", 3, _elementwise_inputs, partial(_prepare_one_launch, False)),
        ("copy, f32", 2, _elementwise_inputs, partial(_prepare_copy, False)),
        (
            "sum in grid strides, f32",
            1,
            whole_floats,
            partial(prepare_operation, ("sum in strides", "sum"), check_bits),
        ),
    ):
        nbytes = 4 * count * size
        yield Case("stream", what, size, describe_power(size), BYTES, nbytes, inputs, measure, size, nbytes, nbytes)


def _copy_cases(size: int) -> Iterator[Case]:
    yield Case(COPY, "copy of a large array", size, describe_power(size), BYTES, 8 * size, _elementwise_inputs,
               partial(_prepare_copy, True), size, 8 * size)  # fmt: skip


def _prepare_copy(only_in_a_row: bool, library: Library, inputs: Any) -> Prepared | None:
    copy = library.operations.get("copy")
    if copy is None:
        return None
    x, y = (library.asarray(host) for host in inputs)

    def check() -> str:
        copy(x, y)
        return check_equal(library.numpy(y), inputs[0])

    times = library.device_times(lambda: copy(x, y))
    return times[BACK_TO_BACK] if only_in_a_row else times, check


_CASES: dict[str, Callable[[int], Iterator[Case]]] = {
    "launch": _launch_cases, "transfer": _transfer_cases, "sort": sort_cases, "matmul": _matmul_cases,
    "products": product_cases, "elementwise": _elementwise_cases, "reduce": reduce_cases, "scan": scan_cases,
    "histogram": histogram_cases, "compact": compact_cases, "stream": _stream_cases, COPY: _copy_cases,
}  # fmt: skip
