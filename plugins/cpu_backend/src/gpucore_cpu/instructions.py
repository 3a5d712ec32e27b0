"""Which instructions an x86-64 processor has, and the system lets programs use, without a compiler that knows it.

The instruction CPUID answers that. It is run from a few bytes of machine code.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any

from gpucore.plugin import OutOfMemoryError
from gpucore_cpu.code_memory import CodeMemory
from gpucore_cpu.levels import this_machine

# (edi: leaf, esi: part, rdx: where the four registers are stored); push rbx; mov r8, rdx; mov eax, edi; mov ecx, esi;
# cpuid; mov [r8], eax; mov [r8+4], ebx; mov [r8+8], ecx; mov [r8+12], edx; pop rbx; ret
_CPUID = bytes.fromhex("53 4989d0 89f8 89f1 0fa2 418900 41895804 41894808 4189500c 5b c3")
# (edi: number); mov ecx, edi; xgetbv; ret. Which registers the system saves
_XGETBV = bytes.fromhex("89f9 0f01d0 c3")
_APART = 64

_EBX, _ECX = 1, 2
_OF_AVX, _OF_AVX512 = 0x6, 0xE6  # the bits of the registers in what XGETBV gives
_FIRST = {
    "sse3": 0, "pclmul": 1, "ssse3": 9, "fma": 12, "cx16": 13, "sse4.1": 19, "sse4.2": 20, "movbe": 22, "popcnt": 23,
    "xsave": 27, "avx": 28, "f16c": 29,
}  # fmt: skip
"""Bits of ECX of leaf 1."""
_EXTENDED = {
    "bmi": 3, "avx2": 5, "bmi2": 8, "avx512f": 16, "avx512dq": 17, "avx512cd": 28, "avx512bw": 30, "avx512vl": 31,
}  # fmt: skip
"""Bits of EBX of leaf 7."""
_WITH_AVX = frozenset({"avx", "avx2", "f16c", "fma"})


@functools.cache
def read_features() -> dict[str, bool]:
    """Features by LLVM's names; empty if they cannot be determined. All x86-64 processors have those of SSE2."""
    if this_machine() != "x86_64":
        return {}
    try:
        memory = CodeMemory(2 * _APART)
        memory.fill(_CPUID.ljust(_APART, b"\xcc") + _XGETBV)
    except (OSError, OutOfMemoryError):
        return {}
    out = (ctypes.c_uint32 * 4)()
    cpuid: Any = ctypes.CFUNCTYPE(None, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_void_p)(memory.address)
    xgetbv: Any = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint32)(memory.address + _APART)

    def ask(leaf: int) -> tuple[int, int, int, int]:
        cpuid(leaf, 0, ctypes.addressof(out))
        return out[0], out[1], out[2], out[3]

    return _features(ask, lambda: int(xgetbv(0)))


def _features(ask: Callable[[int], tuple[int, int, int, int]], saved: Callable[[], int]) -> dict[str, bool]:
    """The features, from what the instructions answer."""
    first = ask(1)[_ECX]
    extended = ask(7)[_EBX] if ask(0)[0] >= 7 else 0
    has_long = ask(0x80000000)[0] >= 0x80000001
    registers = saved() if first >> 27 & 1 else 0  # the system uses XSAVE
    found = {name: bool(first >> bit & 1) for name, bit in _FIRST.items()}
    found |= {name: bool(extended >> bit & 1) for name, bit in _EXTENDED.items()}
    found["lzcnt"] = has_long and bool(ask(0x80000001)[_ECX] >> 5 & 1)
    found |= dict.fromkeys(("64bit", "cmov", "cx8", "fxsr", "mmx", "sse", "sse2"), True)
    for name in found:
        wanted = _OF_AVX512 if name.startswith("avx512") else _OF_AVX if name in _WITH_AVX else 0
        found[name] = found[name] and registers & wanted == wanted
    return found
