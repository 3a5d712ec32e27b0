"""The processor that kernels are compiled for: this one, possibly without its newer instructions."""

from __future__ import annotations

import contextlib
import os
import platform
import threading
from collections.abc import Iterator
from dataclasses import dataclass

from gpucore.plugin import BackendError, HeldBack, read_choice
from gpucore_cpu.instructions import read_features
from gpucore_cpu.levels import this_machine
from gpucore_cpu.settings import FEATURES, LANES

# The features that each word allows in addition to the words before it, by LLVM's names. All belong to x86-64.
_SSE2 = frozenset({"64bit", "cmov", "cx8", "fxsr", "mmx", "sse", "sse2"})
_AVX = frozenset({"avx", "crc32", "cx16", "pclmul", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3", "xsave"})
_AVX2 = frozenset({"avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"})
_LANE_COUNTS = ("1", "4", "8", "16")
_ALLOWED = {"sse2": _SSE2, "avx": _SSE2 | _AVX, "avx2": _SSE2 | _AVX | _AVX2}

_lock = threading.RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


@contextlib.contextmanager
def use_llvm() -> Iterator[None]:
    """A `with` block for calls of LLVM. A fork waits for its end: in the child, the lock of llvmlite that they hold
    would stay locked. Ctrl-C does, too: between a call and its note llvmlite loses what was made, or frees it twice.
    """
    with _lock, HeldBack():
        yield


@dataclass(frozen=True)
class Processor:
    """An LLVM target: the name of a processor, and the features that differ from those of the name."""

    name: str
    features: dict[str, bool]
    num_lanes: int  # invocations that run together, one in each lane of a vector of 32-bit numbers
    limit: str = ""  # the value of GPUCORE_CPU_FEATURES

    def describe(self) -> str:
        """The name, for display."""
        return f"{self.name} with {self.limit}" if self.limit else self.name

    def describe_features(self) -> str:
        """The features in the form that LLVM takes: "+avx,-avx2"."""
        return ",".join(f"{'+' if has else '-'}{name}" for name, has in sorted(self.features.items()))


def read_processor() -> Processor:
    """This machine's processor, limited to the features that GPUCORE_CPU_FEATURES allows.

    GPUCORE_CPU_LANES sets the number of lanes: by default those of the widest vectors. Raises BackendError if one of
    the variables has an unknown or unsupported value.
    """
    found, name = _host_features()
    word = read_choice(FEATURES, tuple(_ALLOWED))
    if not word:
        return Processor(name, found, _num_lanes(found))
    if platform.machine().lower() not in ("x86_64", "amd64"):
        raise BackendError(f"{FEATURES}={word!r} is for x86-64, and this processor is {platform.machine()}; remove it")
    if not found.get(word):
        raise BackendError(f"{FEATURES}={word!r}, but this processor has no {word}; choose an older one, or remove it")
    features = {name: has and name in _ALLOWED[word] for name, has in found.items()}
    return Processor("x86-64", features, _num_lanes(features), word)


def _num_lanes(features: dict[str, bool]) -> int:
    """With AVX-512, its own instructions for masks and 32 registers pay even where a vector takes two steps."""
    wanted = read_choice(LANES, _LANE_COUNTS)
    if wanted:
        return int(wanted)
    if features.get("avx512f") and features.get("avx512vl"):
        return 16
    return 8 if features.get("avx2") else 4


def _host_features() -> tuple[dict[str, bool], str]:
    """Features of this processor by LLVM's names, empty if they cannot be determined, and LLVM's name for it."""
    try:
        import llvmlite.binding as llvm  # noqa: PLC0415 (may be missing)
    except ImportError:
        return read_features(), this_machine()
    with use_llvm():
        name = str(llvm.get_host_cpu_name())
        try:
            return dict(llvm.get_host_cpu_features()), name
        except RuntimeError:
            return {}, name
