"""The processor that kernels are compiled for: this one, possibly without its newer instructions."""

from __future__ import annotations

import platform
from dataclasses import dataclass

import llvmlite.binding as llvm

from gpucore.errors import BackendError
from gpucore.runtime import read_choice
from gpucore_cpu.settings import FEATURES

# The features that each word allows in addition to the words before it, by LLVM's names. All belong to x86-64.
_SSE2 = frozenset({"64bit", "cmov", "cx8", "fxsr", "mmx", "sse", "sse2"})
_AVX = frozenset({"avx", "crc32", "cx16", "pclmul", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3", "xsave"})
_AVX2 = frozenset({"avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"})
_ALLOWED = {"sse2": _SSE2, "avx": _SSE2 | _AVX, "avx2": _SSE2 | _AVX | _AVX2}


@dataclass(frozen=True)
class Processor:
    """An LLVM target: the name of a processor, and the features that differ from those of the name."""

    name: str
    features: dict[str, bool]
    limit: str = ""  # the value of GPUCORE_CPU_FEATURES

    def describe(self) -> str:
        """The name, for display."""
        return f"{self.name} with {self.limit}" if self.limit else self.name

    def describe_features(self) -> str:
        """The features in the form that LLVM takes: "+avx,-avx2"."""
        return ",".join(f"{'+' if has else '-'}{name}" for name, has in sorted(self.features.items()))


def read_processor() -> Processor:
    """This machine's processor, limited to the features that GPUCORE_CPU_FEATURES allows.

    Raises BackendError if the variable has an unknown or unsupported value.
    """
    found = _host_features()
    word = read_choice(FEATURES, tuple(_ALLOWED))
    if not word:
        return Processor(llvm.get_host_cpu_name(), found)
    if platform.machine().lower() not in ("x86_64", "amd64"):
        raise BackendError(f"{FEATURES}={word!r} is for x86-64, and this processor is {platform.machine()}; remove it")
    if not found.get(word):
        raise BackendError(f"{FEATURES}={word!r}, but this processor has no {word}; choose an older one, or remove it")
    return Processor("x86-64", {name: has and name in _ALLOWED[word] for name, has in found.items()}, word)


def _host_features() -> dict[str, bool]:
    """Features of this processor by LLVM's names; empty if LLVM cannot determine them."""
    try:
        return dict(llvm.get_host_cpu_features())
    except RuntimeError:
        return {}
