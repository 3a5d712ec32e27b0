"""Other libraries on the machine, found by importing them: CuPy and PyTorch on the GPU that is measured, PyTorch and
numba on the processor. What is not installed is named, and is no error."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import gpucore as gp
from gpucore.bench.libraries import BINS, HOST, STEPS, A, HostArray, Library, NumPy
from gpucore.runtime.root_cause import describe_cause
from gpucore.tuning.rounds import Timed

_SIGN = np.uint32(0x80000000)
_GPUS = (gp.DeviceKind.GPU, gp.DeviceKind.IGPU)
_DTYPES = {"f16": "float16", "bf16": "bfloat16", "f32": "float32"}
_AXPY = """extern "C" __global__ void axpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}"""


def find_peers(devices: Sequence[gp.Device]) -> tuple[list[Library], list[str]]:
    """The libraries to measure beside gpucore on these devices, and a line for each that is left out."""
    found: list[Library] = [NumPy()]
    notes: list[str] = []
    for title, module, open_library in _PEERS:
        try:
            library = importlib.import_module(module)
            opened = open_library(library, devices)
        except ModuleNotFoundError as error:
            missing = "is not installed" if error.name == module else f"cannot be imported: {describe_cause(error)}"
            notes.append(f"{title} {missing}")
        except Exception as error:  # noqa: BLE001 (a peer that fails is reported, and is not measured)
            notes.append(f"{title} cannot be used: {describe_cause(error)}")
        else:
            found += opened
            if not opened:
                notes.append(f"{title} is not measured: it runs on none of these devices")
    return found, notes


def _cuda_index(devices: Sequence[gp.Device]) -> int:
    """The number of the CUDA device that is measured; 0 if that GPU is measured by another backend."""
    return next((device.info.index for device in devices if device.info.backend == "cuda"), 0)


class CuPy(Library):
    """CuPy on a CUDA device."""

    has_clock = True

    def __init__(self, cupy: Any, index: int) -> None:
        self.module, self.index, self.place = cupy, index, f"cuda:{index}"
        cupy.cuda.Device(index).use()
        self.name, self.version = "CuPy", cupy.__version__
        z = cupy.ElementwiseKernel(
            "float32 a, float32 x, float32 y", "float32 z", "z = a * x + y", "gpucore_bench_axpy"
        )
        self.operations = {
            "sort": cupy.sort, "sort pairs": self._sort_pairs, "matmul": cupy.matmul, "axpy": z,
            "cast": lambda x, dtype: x.astype(_DTYPES[dtype]),
            "copy": lambda x, y: cupy.copyto(y, x), "sum": cupy.sum,
            "sum u32": lambda x: cupy.sum(x, dtype=np.uint32), "argmin": cupy.argmin,
            "cumsum": lambda x: cupy.cumsum(x, dtype=np.uint32),
            "histogram": lambda x: cupy.histogram(x, BINS, (0, BINS))[0],
            "bincount": lambda x: cupy.bincount(x, minlength=BINS), "compact": lambda x, mask: x[mask],
        }  # fmt: skip

    def _sort_pairs(self, keys: Any, values: Any) -> tuple[Any, Any]:
        order = self.module.argsort(keys)
        return keys[order], order  # the values are the places

    def asarray(self, host: HostArray) -> Any:
        return self.module.asarray(host)

    def numpy(self, array: Any) -> HostArray:
        return np.asarray(self.module.asnumpy(array))

    def empty(self, count: int) -> Any:
        return self.module.empty(count, np.float32)

    def upload(self, array: Any, host: HostArray) -> None:
        array.set(host)

    def download(self, array: Any, host: HostArray) -> None:
        array.get(out=host)

    def pinned(self, host: HostArray) -> HostArray | None:
        locked = np.asarray(importlib.import_module("cupyx").empty_pinned(host.shape, host.dtype))
        locked[...] = host
        return locked

    def launch(self, x: Any, y: Any) -> Callable[[], object] | None:
        kernel = self.module.RawKernel(_AXPY, "axpy")
        grid, block = (-(-y.size // 256),), (256,)
        arguments = np.float32(A), x, y, np.int32(y.size)
        return lambda: kernel(grid, block, arguments)

    def finish(self) -> None:
        self.module.cuda.get_current_stream().synchronize()

    def free(self) -> None:
        self.module.get_default_memory_pool().free_all_blocks()

    def timed(self, work: Callable[[], Any], calls: int = 1) -> Timed:
        cuda = self.module.cuda

        def run() -> float:
            start, end = cuda.Event(), cuda.Event()
            start.record()
            for _ in range(calls):
                work()
            end.record()
            end.synchronize()
            return float(cuda.get_elapsed_time(start, end)) / 1e3 / calls

        return run

    def timed_recorded(self, work: Callable[[], Any], steps: int = STEPS) -> Timed | None:
        stream = self.module.cuda.Stream(non_blocking=True)
        with stream:
            kept = [work() for _ in range(steps)]  # so that nothing is allocated while work is captured
            kept.clear()
            stream.synchronize()
            stream.begin_capture()
            try:
                kept = [work() for _ in range(steps)]
            except Exception:  # noqa: BLE001 (what waits for its work cannot be captured)
                kept.clear()
            try:
                graph = stream.end_capture()
            except Exception:  # it fails, too, after work that cannot be captured
                if kept:
                    raise
        if not kept:
            return None
        replayed = self.timed(lambda: graph.launch(self.module.cuda.get_current_stream()))
        return lambda: replayed() / (steps if kept else 0)


def _open_cupy(cupy: Any, devices: Sequence[gp.Device]) -> list[Library]:
    if not any(device.kind in _GPUS for device in devices) or not cupy.cuda.is_available():
        return []
    os.environ["CUPY_TF32"] = "0"  # read at the first product
    return [CuPy(cupy, _cuda_index(devices))]


class PyTorch(Library):
    """PyTorch on "cpu" or on a CUDA device. Its sort gives the indices, too."""

    def __init__(self, torch: Any, where: str) -> None:
        self._torch, self._where = torch, where
        self.name, self.version, self.is_waiting = f"PyTorch {where}", torch.__version__, where == "cpu"
        self.has_clock = not self.is_waiting
        self.place = where if self.has_clock else HOST
        self.operations = {
            "sort": lambda x: torch.sort(x)[0],
            "sort pairs": lambda keys, values: torch.sort(keys),  # the values are the places
            "matmul": torch.matmul,
            "axpy": lambda a, x, y: torch.add(y, x, alpha=a),
            "cast": lambda x, dtype: x.to(getattr(torch, _DTYPES[dtype])),
            "copy": lambda x, y: y.copy_(x),
            "sum": torch.sum,
            "sum u32": lambda x: torch.sum(x, dtype=torch.int32),
            "argmin": torch.argmin,
            "cumsum": lambda x: torch.cumsum(x, 0, dtype=torch.int32),
            "bincount": lambda x: torch.bincount(x, minlength=BINS),
            "compact": lambda x, mask: x[mask],
        }

    def asarray(self, host: HostArray) -> Any:
        """It has no arithmetic on u32: they are i32 of the same bits."""
        return self._torch.tensor(host.view(np.int32) if host.dtype == np.uint32 else host, device=self._where)

    def operand(self, host: HostArray) -> Any:
        return self._torch.from_numpy(host) if self.is_waiting else self.asarray(host)

    def numpy(self, array: Any) -> HostArray:
        return np.asarray(array.cpu().numpy())

    def empty(self, count: int) -> Any:
        return self._torch.empty(count, device=self._where)

    def upload(self, array: Any, host: HostArray) -> None:
        array.copy_(self._torch.from_numpy(host))

    def download(self, array: Any, host: HostArray) -> None:
        self._torch.from_numpy(host).copy_(array)

    def pinned(self, host: HostArray) -> HostArray | None:
        if self.is_waiting:
            return None
        return np.asarray(self._torch.from_numpy(host).pin_memory().numpy())

    def upload_pinned(self, array: Any, host: HostArray) -> None:
        array.copy_(self._torch.from_numpy(host), non_blocking=True)

    def download_pinned(self, array: Any, host: HostArray) -> None:
        self._torch.from_numpy(host).copy_(array, non_blocking=True)

    def launch(self, x: Any, y: Any) -> Callable[[], object]:
        return lambda: y.add_(x, alpha=A)

    def finish(self) -> None:
        if not self.is_waiting:
            self._torch.cuda.synchronize()

    def free(self) -> None:
        if not self.is_waiting:
            self._torch.cuda.empty_cache()

    def timed(self, work: Callable[[], Any], calls: int = 1) -> Timed:
        if self.is_waiting:
            return super().timed(work, calls)
        cuda = self._torch.cuda

        def run() -> float:
            start, end = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
            start.record()
            for _ in range(calls):
                work()
            end.record()
            end.synchronize()
            return float(start.elapsed_time(end)) / 1e3 / calls

        return run

    def timed_recorded(self, work: Callable[[], Any], steps: int = STEPS) -> Timed | None:
        if self.is_waiting:
            return None
        graph = self._torch.cuda.CUDAGraph()
        with self._torch.cuda.graph(graph):
            kept = [work() for _ in range(steps)]
        replayed = self.timed(graph.replay)
        return lambda: replayed() / (steps if kept else 0)

    def encode(self, keys: HostArray) -> HostArray:
        return (keys ^ _SIGN).view(np.int32)  # it does not sort u32

    def decode(self, keys: HostArray) -> HostArray:
        return keys.view(np.uint32) ^ _SIGN


def _open_torch(torch: Any, devices: Sequence[gp.Device]) -> list[Library]:
    places = []
    if torch.cuda.is_available() and any(device.kind in _GPUS for device in devices):
        settings = torch.backends.cuda.matmul
        settings.allow_tf32 = settings.allow_fp16_reduced_precision_reduction = False
        settings.allow_bf16_reduced_precision_reduction = False  # parts of sums are added in f32, as gpucore does it
        places.append(f"cuda:{_cuda_index(devices)}")
        torch.cuda.set_device(places[0])
    if any(device.kind not in _GPUS for device in devices):
        places.append("cpu")
    return [PyTorch(torch, where) for where in places]


class Numba(NumPy):
    """numba on the processor: operations on all its cores, a launch on one."""

    has_memory = False

    def __init__(self, numba: Any) -> None:
        super().__init__()
        self.name, self.version, prange = "numba", numba.__version__, numba.prange

        def axpy(a: Any, x: Any, y: Any) -> Any:
            z = np.empty_like(y)
            for i in prange(y.size):
                z[i] = a * x[i] + y[i]
            return z

        def total(x: Any) -> Any:
            sum = np.float32(0)
            for i in prange(x.size):
                sum += x[i]
            return sum

        def add(a: Any, x: Any, y: Any) -> None:
            for i in range(y.size):
                y[i] += a * x[i]

        self._add = numba.njit(add)
        fast_axpy = numba.njit(axpy, parallel=True)
        fast_total = numba.njit(total, parallel=True, fastmath={"reassoc", "nsz"})
        self.operations = {
            "axpy": lambda a, x, y: fast_axpy(np.float32(a), x, y), "sum": lambda x: np.float32(fast_total(x)),
        }  # fmt: skip

    def launch(self, x: HostArray, y: HostArray) -> Callable[[], object]:
        a = np.float32(A)
        return lambda: self._add(a, x, y)


def _open_numba(numba: Any, devices: Sequence[gp.Device]) -> list[Library]:
    return [Numba(numba)]


_PEERS: tuple[tuple[str, str, Callable[[Any, Sequence[gp.Device]], list[Library]]], ...] = (
    ("CuPy", "cupy", _open_cupy), ("PyTorch", "torch", _open_torch), ("numba", "numba", _open_numba),
)  # fmt: skip
"""Name, module, and what opens it for the devices that are measured."""
