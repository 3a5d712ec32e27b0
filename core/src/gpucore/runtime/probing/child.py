"""The child process of `in_child`: python -P -m gpucore.runtime.probing.child TASK --descriptor N (or --file PATH).

It imports one plugin, calls its hook, probes its backends, and writes a line of JSON after each step (see
`child_report`). Standard output and error belong to the plugin and its drivers.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import sys
from collections.abc import Callable
from typing import IO

from gpucore.runtime.plugins.loading import load_plugin
from gpucore.runtime.plugins.records import hint_to_report
from gpucore.runtime.probing.child_report import decode_task, encode_answer, encode_record
from gpucore.runtime.probing.in_process import probe_here
from gpucore.runtime.protocol import Backend, ProbeResult, ProbeStatus
from gpucore.runtime.root_cause import describe_cause

if sys.platform != "win32":
    import resource

_GRACE = 5.0  # seconds after the deadline, by which the parent has killed this process unless the parent is gone


def serve(arguments: list[str], answer: Callable[[str, float, IO[str]], None]) -> None:
    """Call `answer(task, seconds, channel)`, then exit without unloading drivers, as some crash or hang when unloaded.
    `answer` has that time for each line that it writes to the channel."""
    parser = argparse.ArgumentParser()
    parser.add_argument("task")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--descriptor", type=int, default=-1)
    parser.add_argument("--file", default="")
    options = parser.parse_args(arguments)
    faulthandler.enable()
    forbid_core_dumps()
    descriptor = os.open(options.file, os.O_WRONLY) if options.file else options.descriptor
    with open(descriptor, "w", encoding="utf-8") as channel:
        answer(options.task, options.seconds + _GRACE, channel)
    os._exit(0)


def probe_plugin(task: str, limit: float, channel: IO[str]) -> None:
    """Import and probe the plugin of a task."""
    found, skipped = decode_task(task)
    faulthandler.dump_traceback_later(limit, exit=True)
    record = load_plugin(found)
    _write(channel, encode_record(record))
    for backend in record.backends:
        if backend.name not in skipped:
            faulthandler.dump_traceback_later(limit, exit=True)
            _write(channel, _encode(backend, probe_here(backend, record.origin), record.origin))


def _encode(backend: Backend, result: ProbeResult, origin: str) -> str:
    try:
        return encode_answer(backend.name, result)
    except Exception as error:  # noqa: BLE001 (a plugin's result may contain objects that raise anything)
        reason = f"its probe's result cannot be sent: {describe_cause(error)}"
        hint = hint_to_report(backend.name, origin)
        return encode_answer(backend.name, ProbeResult(ProbeStatus.BROKEN, reason=reason, hint=hint))


def _write(channel: IO[str], line: str) -> None:
    channel.write(line + "\n")
    channel.flush()


def forbid_core_dumps() -> None:
    """Let a crash of this process leave no file."""
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


if __name__ == "__main__":
    serve(sys.argv[1:], probe_plugin)
