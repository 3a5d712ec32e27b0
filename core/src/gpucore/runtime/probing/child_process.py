"""Runs a module of gpucore in a child process, so that a crash of a plugin or driver does not affect this one.

The child answers with lines on a file descriptor of its own, because drivers print. All of its outputs are files, not
pipes: nothing has to be read while it runs, and a process that it leaves behind cannot keep a pipe open.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import IO, Any

_MAX_QUOTED = 400  # characters of the output that are shown
_POLL_INTERVAL = 0.2  # seconds
_CRASH = re.compile(r"(?:Fatal Python error|Windows fatal exception): ")  # as faulthandler prints
_FRAME = re.compile(r'File "(.+)", line (\d+)')


@dataclass(frozen=True)
class Run:
    """One child process that has ended."""

    lines: tuple[str, ...]  # whole ones only; they count even if the child crashed or hung later
    code: int | None  # None: it was killed at the deadline
    printed: str


def run_child(module: str, task: str, seconds: float) -> Run:
    """Run `python -m module task`, which calls `child.serve`. It is killed `seconds` after its start or the last line
    that it wrote. Raises OSError if the process cannot be started."""
    with tempfile.TemporaryFile() as output, tempfile.NamedTemporaryFile(delete=False) as answer:
        try:
            code = _start_and_wait(module, task, answer, output, seconds)
            answer.seek(0)
            text = answer.read().decode("utf-8", errors="replace")
        finally:
            answer.close()
            os.unlink(answer.name)
        output.seek(0)
        return Run(tuple(text.split("\n")[:-1]), code, output.read().decode("utf-8", errors="replace"))


def _start_and_wait(module: str, task: str, answer: IO[bytes], output: IO[bytes], seconds: float) -> int | None:
    """The exit code of the child, or None if it had to be killed at a deadline."""
    command = [sys.executable, "-P", "-m", module, task, "--seconds", str(seconds)]
    options: dict[str, Any] = {}
    if os.name == "posix":
        # Its own session, so that what the driver starts is killed with it.
        options = {"pass_fds": (answer.fileno(),), "start_new_session": True}
        command += ["--descriptor", str(answer.fileno())]
    else:
        command += ["--file", answer.name]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, env=_environment(), **options
    )
    try:
        return _wait(process, answer.name, seconds)
    finally:
        _kill(process)


def _wait(process: subprocess.Popen[bytes], path: str, seconds: float) -> int | None:
    """Wait until the child ends, or the file has not grown for `seconds` (None)."""
    size, deadline = 0, time.monotonic() + seconds
    while True:
        try:
            return process.wait(min(_POLL_INTERVAL, max(0.0, deadline - time.monotonic())))
        except subprocess.TimeoutExpired:
            now = time.monotonic()
        if (grown := os.stat(path).st_size) > size:
            size, deadline = grown, now + seconds
        elif now >= deadline:
            return None


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the child, and the session that it leads, if it still runs."""
    if process.poll() is not None:
        return
    if sys.platform != "win32":
        os.killpg(process.pid, signal.SIGKILL)  # the pid is not reused before `wait`
    else:
        process.kill()
    with contextlib.suppress(subprocess.TimeoutExpired):  # it ends when a system call of its driver returns
        process.wait(1.0)


def _environment() -> dict[str, str]:
    """The child finds the same modules as this process and starts no child of its own."""
    path = os.pathsep.join(str(entry) or os.getcwd() for entry in sys.path)
    return {**os.environ, "PYTHONPATH": path, "GPUCORE_PROBE": "inprocess", "GPUCORE_CACHE": "off"}


def describe_end(run: Run) -> str:
    """How a process without an answer ended: "crashed the process with SIGSEGV in foo.py, line 3; it printed: x"."""
    code = run.code or 0
    printed, *crash = _CRASH.split(run.printed, maxsplit=1)
    place = _FRAME.search(crash[0]) if crash else None
    where = f" in {place[1]}, line {place[2]}" if place else ""
    if code >= 0:
        return f"ended the process with exit code {code} and no answer{where}{quote_output(printed)}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"crashed the process with {name}{where}{quote_output(printed)}"


def quote_output(printed: str) -> str:
    """The last of what a process printed, as the end of a sentence."""
    tail = " ".join(printed.split())[-_MAX_QUOTED:]
    return f"; it printed: {tail}" if tail else ""
