"""Exit codes, and their assignment to errors."""

from __future__ import annotations

from gpucore.errors import (
    BackendUnavailableError,
    BackendWarning,
    DeviceError,
    DriverCompileError,
    NoDeviceError,
    TuningError,
)

OK = 0
CHECK_FAILED = 1
USAGE = 2
NO_DEVICE = 3
DEVICE_FAILED = 4
INTERRUPTED = 130
PIPE_CLOSED = 141

EXPLANATION = """\
exit codes:
  0    success
  1    a check failed: a demo, the result of a benchmark or with tuned shapes, doctor's check of the default device
       and of one besides the simulator, an entry of the cache, or a behaviour of a backend; or a profiled script ended
       with an exception
  2    a mistake in the command line, a file, a kernel or an environment variable
  3    no usable device, or the requested backend is not available
  4    the device failed at run time
  130  interrupted (Ctrl-C)
  141  the reader of the output closed it (as in `| head`)
"""


def exit_code_of(error: BaseException) -> int:
    """The exit code for an error that gpucore or the system raised."""
    if isinstance(error, (BackendUnavailableError, NoDeviceError, BackendWarning)):
        return NO_DEVICE
    if isinstance(error, (DeviceError, DriverCompileError, MemoryError)):
        return DEVICE_FAILED
    return CHECK_FAILED if isinstance(error, TuningError) else USAGE
