"""The command line: `gpucore`, or `python -m gpucore`. `import gpucore` does not import it.

    gpucore devices        list the devices that can be used, best first
    gpucore doctor         check which backends work, and why others do not
    gpucore conformance    check that a backend does what it must
    gpucore demo           sort and multiply on every device, and check every result
    gpucore bench          measure speed, beside other libraries
    gpucore sort           sort the array of a .npy file
    gpucore matmul         multiply the matrices of two .npy files
    gpucore export         write kernels, and what runs them, for a web page
    gpucore inspect        print the source generated from a kernel; needs no device
    gpucore build          compile kernels for devices that need not be there, into one file
    gpucore cache          show, check, clear or fill the cache on disk
    gpucore tune           choose the shapes of kernels by measuring, and keep them
    gpucore profile        run a script, and show its kernels: calls, device time, bytes, compile time
    gpucore new-backend    write a distribution with a backend, to begin from

Exit codes (see `failures`): 0 success, 1 a check failed, 2 invalid usage (also errors of argparse), 3 no usable device,
or the requested backend is not available, 4 the device failed at run time, 130 interrupted, 141 the reader of the
output closed it. A mistake of the user's gives one message on standard error, "error: ...", without a traceback; a
traceback is a bug.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence

from gpucore.version import __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command (default: the process's own arguments) and return its exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if list(given) == ["--version"] and sys.stdout is not None:
        with contextlib.suppress(OSError):  # `run` tries again and reports the error
            sys.stdout.write(f"gpucore {__version__}\n")
            sys.stdout.flush()
            return 0
    from gpucore.cli.commands import run  # noqa: PLC0415 (imports NumPy and the compiler)

    return run(given)
