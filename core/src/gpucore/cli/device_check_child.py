"""The child process of `device_check`: writes one line with the problem of a device, empty if it works."""

from __future__ import annotations

import faulthandler
import sys
from typing import IO

from gpucore.cli.device_check import run_check
from gpucore.runtime.probing.child import serve


def check_device(device_id: str, limit: float, channel: IO[str]) -> None:
    """Check the device and write the result."""
    faulthandler.dump_traceback_later(limit, exit=True)
    print(" ".join(run_check(device_id).split()), file=channel, flush=True)


if __name__ == "__main__":
    serve(sys.argv[1:], check_device)
