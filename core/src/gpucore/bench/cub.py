"""CUB, a library of device-wide algorithms, beside CuPy: `cub.cu`, which nvcc compiles, on CuPy's arrays.

CUB is a library of headers, which come with nvcc. What nvcc makes is kept in gpucore's cache.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from gpucore.bench.libraries import BINS
from gpucore.bench.peers import CuPy
from gpucore.runtime.cache import make_key, open_store

BENCHMARKS = frozenset({"sort", "reduce", "scan", "histogram", "compact"})
"""What CUB takes part in."""
_PREFIX = "gpucore_cub_"
_FOLDERS = "CUDA_HOME", "CUDA_PATH"
_OPTIONS = ("-O3", "-std=c++17", "-shared", *(() if sys.platform == "win32" else ("-Xcompiler", "-fPIC")))


class Cub(CuPy):
    """CUB's functions. Results are new arrays of CuPy, as its own functions make them; the temporary storage of a
    function is kept for its next call with as many elements, until `free`."""

    has_memory = False

    def __init__(self, peer: CuPy, functions: ctypes.CDLL) -> None:
        super().__init__(peer.module, peer.index)
        self._functions = functions
        self._storages: list[dict[int, tuple[Any, ctypes.c_size_t]]] = []  # of each function
        version = functions.gpucore_cub_version()
        self.name, self.version = "CUB", f"{version // 100000}.{version // 100 % 1000}.{version % 100}"
        functions.gpucore_cub_error.restype = ctypes.c_char_p
        _check(functions, "the choice of the device", functions.gpucore_cub_use_device(peer.index))
        empty, u32, f32 = peer.module.empty, np.uint32, np.float32
        sort_keys, sort_pairs = self._function("sort_keys", 2), self._function("sort_pairs", 4)
        histogram, flagged = self._function("histogram", 2, ctypes.c_uint32), self._function("flagged", 4)

        def pairs(keys: Any, values: Any) -> tuple[Any, Any]:
            sorted_keys, sorted_values = empty(keys.size, u32), empty(keys.size, u32)
            sort_pairs(keys.size, keys, sorted_keys, values, sorted_values)
            return sorted_keys, sorted_values

        def count(x: Any) -> Any:
            counts = empty(BINS, u32)
            histogram(x.size, x, counts, BINS)
            return counts

        def compact(x: Any, mask: Any) -> Any:
            chosen, number = empty(x.size, u32), empty(1, np.int32)
            flagged(x.size, x, mask, chosen, number)
            return chosen[: int(number[0])]

        self.operations = {
            "sort": self._with_result(sort_keys, u32), "sort pairs": pairs,
            "cumsum": self._with_result(self._function("inclusive_sum", 2), u32),
            "exclusive scan": self._with_result(self._function("exclusive_sum", 2), u32),
            "sum": self._with_result(self._function("sum_f32", 2), f32, 1),
            "sum u32": self._with_result(self._function("sum_u32", 2), u32, 1), "histogram": count, "compact": compact,
        }  # fmt: skip
        if hasattr(functions, _PREFIX + "argmin"):
            argmin = self._function("argmin", 3)

            def place_of_least(x: Any) -> Any:
                least, place = empty(1, f32), empty(1, np.int64)
                argmin(x.size, x, least, place)
                return place

            self.operations["argmin"] = place_of_least

    def launch(self, x: Any, y: Any) -> None:
        """It has no kernels of the user's."""

    def free(self) -> None:
        for stored in self._storages:
            stored.clear()
        super().free()

    def _with_result(self, function: Callable[..., None], dtype: Any, size: int | None = None) -> Callable[[Any], Any]:
        """A function of one array that returns a new one, of as many elements if no size is given."""

        def run(x: Any) -> Any:
            result = self.module.empty(x.size if size is None else size, dtype)
            function(x.size, x, result)
            return result

        return run

    def _function(self, name: str, arrays: int, *more: Any) -> Callable[..., None]:
        """`function(size, *arrays, *more)`: a function of cub.cu, in CuPy's stream."""
        function: Any = getattr(self._functions, _PREFIX + name)
        pointer = ctypes.c_void_p
        function.argtypes = [
            pointer, ctypes.POINTER(ctypes.c_size_t), *[pointer] * arrays, *more, ctypes.c_int, pointer
        ]  # fmt: skip
        stored: dict[int, tuple[Any, ctypes.c_size_t]] = {}  # by size: the storage of the latest one
        self._storages.append(stored)
        stream_of, empty = self.module.cuda.get_current_stream, self.module.empty

        def call(size: int, *given: Any) -> None:
            arguments = *(array.data.ptr for array in given[:arrays]), *given[arrays:], size, stream_of().ptr
            if size not in stored:
                nbytes = ctypes.c_size_t()
                _check(self._functions, name, function(None, ctypes.byref(nbytes), *arguments))
                stored.clear()
                stored[size] = empty(max(nbytes.value, 1), np.uint8), nbytes
            storage, nbytes = stored[size]
            _check(self._functions, name, function(storage.data.ptr, ctypes.byref(nbytes), *arguments))

        return call


def _check(functions: Any, name: str, code: int) -> None:
    if code:
        raise RuntimeError(f"{name} of CUB failed: {functions.gpucore_cub_error(code).decode()}")


# ---------------------------------------------------------------- compiling


def find_nvcc() -> str | None:
    """nvcc in the folder that CUDA_HOME or CUDA_PATH names, or on the PATH."""
    folders = [os.path.join(os.environ[name], "bin") for name in _FOLDERS if os.environ.get(name)]
    return next(filter(None, (shutil.which("nvcc", path=folder) for folder in (*folders, None))), None)


def open_cub(peer: CuPy, nvcc: str) -> Cub:
    """CUB for the device of CuPy: compiled by nvcc, or from the cache. Raises RuntimeError if nvcc fails."""
    text = resources.files(__package__).joinpath("cub.cu").read_text("utf-8")
    options = *_OPTIONS, f"-arch=sm_{peer.module.cuda.Device(peer.index).compute_capability}"
    store, key = open_store(), make_key("cub", text, *options, _run(nvcc, "--version"))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # Windows keeps a library that is loaded
        file = Path(folder) / ("cub.dll" if sys.platform == "win32" else "cub.so")
        made = store.read(key) if store else None
        if made is not None:
            file.write_bytes(made)
        else:
            source = Path(folder) / "cub.cu"
            source.write_text(text, "utf-8")
            _run(nvcc, *options, "-o", file.name, source.name, folder=folder)
            if store:
                store.write(key, {"kind": "binary", "backend": "cub"}, file.read_bytes())
        return Cub(peer, ctypes.CDLL(str(file)))


def _run(*command: str, folder: str | None = None) -> str:
    """What a command prints. Raises RuntimeError with the first error if it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode:
        lines = (done.stderr + done.stdout).strip().splitlines()
        told = [line for line in lines if "error" in line] or lines[-1:] or ["it printed nothing"]
        raise RuntimeError(f"nvcc ended with status {done.returncode}: {told[0].strip()}")
    return done.stdout
