"""The child process of `isolation`: python -P -m gpucore.runtime.probe_child NAME --descriptor N (or --file PATH).

It probes one backend and writes one line of JSON to the descriptor. Standard output and error belong to the driver.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import sys

from gpucore.errors import GpucoreError
from gpucore.runtime.plugins import TABLE
from gpucore.runtime.probe import probe_here
from gpucore.runtime.protocol import ProbeResult, ProbeStatus
from gpucore.runtime.wire import encode_result

if sys.platform != "win32":
    import resource


def main(arguments: list[str]) -> None:
    """Probe, answer, and end at once: a driver that crashes or hangs while it is unloaded gets no chance to."""
    parser = argparse.ArgumentParser(prog="probe_child")
    parser.add_argument("name")
    parser.add_argument("--descriptor", type=int, default=-1)
    parser.add_argument("--file", default="")
    options = parser.parse_args(arguments)
    faulthandler.enable()
    _forbid_core_dumps()
    line = encode_result(_probe(options.name)) + "\n"
    descriptor = os.open(options.file, os.O_WRONLY) if options.file else options.descriptor
    with open(descriptor, "w", encoding="utf-8") as channel:
        channel.write(line)
    os._exit(0)


def _probe(name: str) -> ProbeResult:
    try:
        _, backend = TABLE.find(name)
    except GpucoreError as error:
        return ProbeResult(ProbeStatus.BROKEN, reason=f"the child process does not find it: {error}")
    return probe_here(backend)


def _forbid_core_dumps() -> None:
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


if __name__ == "__main__":
    main(sys.argv[1:])
