"""Memory for machine code: written once, then executable and read-only."""

from __future__ import annotations

import ctypes
import mmap
import sys
from typing import Any

from gpucore.plugin import OutOfMemoryError

_READ_EXECUTE = mmap.PROT_READ | mmap.PROT_EXEC if sys.platform != "win32" else 0


class CodeMemory:
    """Memory of the process from `address` on, at a multiple of the page size. It is freed with the last reference to
    this object."""

    def __init__(self, nbytes: int) -> None:
        if sys.platform == "win32":
            raise OSError("machine code of packages cannot be loaded on Windows yet")
        self._nbytes = max(1, nbytes)
        try:
            flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
            self._memory: Any = mmap.mmap(-1, self._nbytes, flags=flags, prot=mmap.PROT_READ | mmap.PROT_WRITE)
        except (OSError, ValueError) as error:
            raise OutOfMemoryError(f"no memory for {nbytes} bytes of machine code") from error
        self._view: Any = (ctypes.c_char * self._nbytes).from_buffer(self._memory)  # keeps it from moving
        self.address = ctypes.addressof(self._view)

    def fill(self, image: bytes) -> None:
        """Store the code and make it executable. Raises OSError if the system allows no new code."""
        ctypes.memmove(self.address, image, len(image))
        library = ctypes.CDLL(None, use_errno=True)
        protect = library.mprotect
        protect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
        if protect(self.address, self._nbytes, _READ_EXECUTE):
            code = ctypes.get_errno()
            raise OSError(code, "the system does not let this process make memory executable")
        _forget_instructions(self.address, self._nbytes)


def _forget_instructions(address: int, nbytes: int) -> None:
    """Let the processor read instructions anew, where its caches do not see by themselves that memory was written."""
    start, end = ctypes.c_void_p(address), ctypes.c_void_p(address + nbytes)
    if sys.platform == "darwin":
        ctypes.CDLL("/usr/lib/libSystem.B.dylib").sys_icache_invalidate(start, ctypes.c_size_t(nbytes))
        return
    for name in ("libgcc_s.so.1", None):  # elsewhere the kernel does it, when the pages become executable
        try:
            clear = ctypes.CDLL(name).__clear_cache
        except (OSError, AttributeError):
            continue
        clear.restype = None
        clear(start, end)
        return
