"""The processor as a device: a kernel is a shared library, and `runtime.c` runs its invocations."""

from __future__ import annotations

import _ctypes
import ctypes
import platform
import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from gpucore import plugin
from gpucore.plugin.c_family import map_log
from gpucore_cc.emit import HAS_BARRIERS, INVOKE

_OPTIONS = (
    "-std=c11", "-O2", "-w", "-fPIC", "-shared", "-ffp-contract=off", "-fno-math-errno", "-fno-strict-aliasing",
    "-U_FORTIFY_SOURCE",
)  # fmt: skip
_MESSAGE = re.compile(r"<stdin>:(?P<line>\d+):\d+: (?P<severity>fatal error|error|warning)(?P<kind>):")
_T = TypeVar("_T")


def _load(library: bytes, mode: int = 0) -> ctypes.CDLL:
    with tempfile.NamedTemporaryFile(suffix=".so") as file:
        file.write(library)
        file.flush()
        return ctypes.CDLL(file.name, mode)


class CcPipeline(plugin.Pipeline):
    """A loaded library. Raises OSError, ValueError or AttributeError if it is not one of a kernel."""

    def __init__(self, source: plugin.Source, library: bytes) -> None:
        self.source = source
        self.library: ctypes.CDLL | None = _load(library)
        self.has_barriers = ctypes.c_int.in_dll(self.library, HAS_BARRIERS).value
        self.invoke = ctypes.cast(getattr(self.library, INVOKE), ctypes.c_void_p)

    def release(self) -> None:
        library, self.library = self.library, None
        if library is not None:
            _ctypes.dlclose(library._handle)


class CcDevice(plugin.HostMemoryDevice):
    """Runs each dispatch to its end in the calling thread."""

    def __init__(self, info: plugin.DeviceInfo) -> None:
        self.info = info
        text = Path(__file__).with_name("runtime.c").read_text(encoding="utf-8")
        try:
            self._version = subprocess.run(["cc", "--version"], check=True, capture_output=True, text=True).stdout
            self._runtime = self._build(text, lambda library: _load(library, ctypes.RTLD_GLOBAL))  # has kernels' names
        except subprocess.CalledProcessError as error:
            raise plugin.BackendUnavailableError(f"the C compiler cc failed: {error.stderr}") from None

    def compile(self, source: plugin.Source) -> plugin.Pipeline:
        try:
            return self._build(source.text, lambda library: CcPipeline(source, library))
        except subprocess.CalledProcessError as error:
            span, log = map_log(error.stderr, _MESSAGE, source.lines)
            message = f"the C compiler refused the text of {source.entry}"
            raise plugin.DriverCompileError("GP611", message, span, log=log) from error
        except (OSError, ValueError, AttributeError) as error:
            message = f"the library of {source.entry} cannot be loaded, or lacks {INVOKE} and {HAS_BARRIERS}"
            raise plugin.DriverCompileError("GP611", message, log=str(error)) from error

    def dispatch(
        self,
        pipeline: plugin.Pipeline,
        buffers: Sequence[plugin.Buffer],
        scalars: bytes,
        workgroups: tuple[int, int, int],
    ) -> None:
        assert isinstance(pipeline, CcPipeline)
        if pipeline.library is None:
            raise plugin.ClosedError(f"the pipeline of {pipeline.source.entry} was released")
        addresses = (ctypes.c_void_p * len(buffers))(*(buffer.address for buffer in buffers))
        counts, sizes = (ctypes.c_int * 3)(*workgroups), (ctypes.c_int * 3)(*pipeline.source.workgroup_size)
        run = self._runtime.gpucore_cc_run
        if run(pipeline.invoke, pipeline.has_barriers, addresses, scalars, counts, sizes) != 0:
            raise plugin.OutOfMemoryError("there is no memory for the stacks of a workgroup")

    def close(self) -> None:
        """Buffers own their memory, and loaded kernels refer to the runtime."""

    def _build(self, text: str, use: Callable[[bytes], _T]) -> _T:
        """`use` of the shared library of a text. Raises CalledProcessError with the compiler's log as stderr."""

        def make() -> bytes:
            with tempfile.NamedTemporaryFile(suffix=".so") as file:
                command = ["cc", *_OPTIONS, "-x", "c", "-", "-o", file.name, "-lm"]
                subprocess.run(command, input=text, text=True, check=True, capture_output=True)
                return Path(file.name).read_bytes()

        return plugin.cached_binary(__name__, [text, *_OPTIONS, self._version, platform.machine()], make, use)
