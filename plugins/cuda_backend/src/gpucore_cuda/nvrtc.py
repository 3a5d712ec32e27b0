"""NVRTC through ctypes: CUDA C to a binary for one architecture, with no GPU and no driver."""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from gpucore.plugin import BackendUnavailableError, DriverCompileError, Source
from gpucore.plugin.c_family import map_log
from gpucore_cuda.generations import WITH_GROUPS
from gpucore_cuda.groups import OF_ARCHITECTURE

_SUCCESS, _COMPILATION = 0, 6
_OPTIONS = ("--std=c++17",)
_MESSAGE = re.compile(r"\S+\.cu\((?P<line>\d+)\): (?P<severity>(?:catastrophic )?error|warning|remark)(?P<kind>)")
_PATTERN = "nvrtc64_*_0.dll" if sys.platform == "win32" else "libnvrtc.so.*"
_FOLDERS = ("lib", "lib/x86_64", "bin", "bin/x86_64")


def find_library() -> str | None:
    """The path or name of the NVRTC library: NVIDIA's wheel first, then a CUDA toolkit, then the system's."""
    for folder in _candidate_folders():
        found = sorted(path for path in folder.glob(_PATTERN) if ".alt." not in path.name)
        if found:
            return str(found[-1])
    return ctypes.util.find_library("nvrtc")


def _candidate_folders() -> Iterator[Path]:
    spec = importlib.util.find_spec("nvidia")
    for root in (spec.submodule_search_locations or []) if spec else []:
        # "cu13" and so on; "cuda_nvrtc" up to CUDA 12. The newest first.
        packages = sorted(Path(root).glob("cu[0-9]*"), reverse=True)
        for package in (*packages, Path(root) / "cuda_nvrtc"):
            yield from (package / folder for folder in _FOLDERS)
    for variable in ("CUDA_PATH", "CUDA_HOME"):
        if os.environ.get(variable):
            yield from (Path(os.environ[variable]) / folder for folder in (*_FOLDERS, "lib64"))
    yield Path("/usr/local/cuda/lib64")


class Nvrtc:
    """The loaded library. `version` and `architectures` (75 for sm_75) describe what it supports."""

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path)
        self._library.nvrtcGetErrorString.restype = ctypes.c_char_p
        major, minor = ctypes.c_int(), ctypes.c_int()
        self._check(self._library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
        self.version = (major.value, minor.value)
        self.architectures = self._supported()

    def _supported(self) -> tuple[int, ...]:
        count = ctypes.c_int()
        self._check(self._library.nvrtcGetNumSupportedArchs(ctypes.byref(count)))
        architectures = (ctypes.c_int * count.value)()
        self._check(self._library.nvrtcGetSupportedArchs(architectures))
        return tuple(sorted(architectures))

    def compile(self, source: Source, architecture: int) -> tuple[bytes, str]:
        """The cubin and the compiler's log. Raises DriverCompileError; BackendUnavailableError for an architecture
        that this NVRTC does not support."""
        if architecture not in self.architectures:
            raise BackendUnavailableError(self.refusal(architecture))
        program = ctypes.c_void_p()
        text, name = source.text.encode(), source.entry.encode() + b".cu"
        self._check(self._library.nvrtcCreateProgram(ctypes.byref(program), text, name, 0, None, None))
        try:
            is_of_one = architecture // 10 == WITH_GROUPS and OF_ARCHITECTURE in source.text
            target = f"sm_{architecture}{'a' if is_of_one else ''}"
            options = [option.encode() for option in (f"--gpu-architecture={target}", *_OPTIONS)]
            status = self._library.nvrtcCompileProgram(
                program, ctypes.c_int(len(options)), (ctypes.c_char_p * len(options))(*options)
            )
            log = self._output(program, "ProgramLog").rstrip(b"\0").decode(errors="replace")
            if status == _COMPILATION:
                raise _compile_error(source, architecture, log)
            self._check(status, log)
            binary = self._output(program, "CUBIN")
            if f".text.{source.entry}\0".encode() not in binary:
                message = f"the text has no kernel named {source.entry!r}"
                raise DriverCompileError("GP611", message, fix=f'declare it extern "C" __global__ void {source.entry}')
            return binary, log
        finally:
            self._library.nvrtcDestroyProgram(ctypes.byref(program))

    def facts(self, architecture: int) -> tuple[str, ...]:
        """All that a cubin depends on besides the text and the entry."""
        return repr(self.version), f"sm_{architecture}", *_OPTIONS

    def refusal(self, architecture: int) -> str:
        """Why this NVRTC cannot compile for an architecture."""
        known = ", ".join(f"sm_{known}" for known in self.architectures)
        version = ".".join(map(str, self.version))
        return f"incompatible: NVRTC {version} compiles for {known}, not for sm_{architecture}"

    def _output(self, program: ctypes.c_void_p, what: str) -> bytes:
        size = ctypes.c_size_t()
        self._check(getattr(self._library, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
        data = ctypes.create_string_buffer(size.value)
        self._check(getattr(self._library, f"nvrtcGet{what}")(program, data))
        return data.raw

    def _check(self, status: int, log: str = "") -> None:
        if status != _SUCCESS:
            message = self._library.nvrtcGetErrorString(ctypes.c_int(status)).decode()
            raise DriverCompileError("GP612", f"NVRTC failed: {message}", log=log)


@functools.lru_cache(maxsize=1)
def load_nvrtc() -> Nvrtc:
    """The library, loaded once. Raises BackendUnavailableError if it is missing."""
    path = find_library()
    if path is None:
        raise BackendUnavailableError("the NVRTC library is not installed (pip install nvidia-cuda-nvrtc)")
    try:
        return Nvrtc(path)
    except OSError as error:
        raise BackendUnavailableError(f"the NVRTC library {path} cannot be loaded: {error}") from error


def _compile_error(source: Source, architecture: int, log: str) -> DriverCompileError:
    span, log = map_log(log, _MESSAGE, source.lines)
    what = "the generated code" if source.lines else "the text"
    message = f"NVRTC refused {what} of {source.entry} for sm_{architecture}"
    return DriverCompileError("GP611", message, span, log=log)
