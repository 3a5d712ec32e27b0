"""Probe a backend in a child process: whatever its driver does there, this process lives on.

The child answers with JSON on a file descriptor of its own, because drivers print. All of its outputs are files, not
pipes: nothing has to be drained while it runs, and nobody that it leaves behind can keep a pipe open.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from typing import IO, Any

from gpucore.runtime.causes import describe_cause
from gpucore.runtime.probe import check_result, probe, timed_out
from gpucore.runtime.protocol import Backend, ProbeResult, ProbeStatus
from gpucore.runtime.settings import read_probe_timeout
from gpucore.runtime.wire import decode_result

_MODULE = "gpucore.runtime.probe_child"
_TAIL = 600  # characters of a driver's output that are worth showing


def probe_in_child(backend: Backend, timeout: float | None = None) -> ProbeResult:
    """Ask a backend in a new Python process, which is killed after `timeout` seconds.

    A frozen application has no interpreter to start: there the backend is asked in this process.
    """
    if getattr(sys, "frozen", False) or not sys.executable:
        return probe(backend, timeout)
    seconds = read_probe_timeout() if timeout is None else timeout
    try:
        with tempfile.TemporaryFile() as output, tempfile.NamedTemporaryFile(delete=False) as answer:
            try:
                code = _run_child(backend.name, answer, output, seconds)
                answer.seek(0)
                text = answer.read().decode("utf-8", errors="replace")
            finally:
                answer.close()
                os.unlink(answer.name)
            output.seek(0)
            printed = " ".join(output.read().decode("utf-8", errors="replace").split())[-_TAIL:]
    except OSError as error:
        return _broken(f"a child process to probe it cannot be run: {describe_cause(error)}", backend.hint)
    if text.endswith("\n"):  # a whole answer counts, even if the driver crashed or hung while it was unloaded
        return _read_answer(text, backend)
    if code is None:
        return timed_out(backend.hint, seconds)
    suffix = f"; it printed: {printed}" if printed else ""
    return _broken(f"its probe {_describe_exit(code)}{suffix}", backend.hint)


def _run_child(name: str, answer: IO[bytes], output: IO[bytes], seconds: float) -> int | None:
    """The exit code of the child, or None if it had to be killed at the deadline."""
    command = [sys.executable, "-P", "-m", _MODULE, name]
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
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the child, and the session that it leads, if it still runs."""
    if process.poll() is not None:
        return
    if sys.platform != "win32":
        os.killpg(process.pid, signal.SIGKILL)  # its number is still its own: nobody has waited for it yet
    else:
        process.kill()
    try:
        process.wait(1.0)
    except subprocess.TimeoutExpired:  # stuck in the kernel; it dies when its driver lets go
        return


def _environment() -> dict[str, str]:
    """The child finds the same modules as this process and starts no child of its own."""
    path = os.pathsep.join(str(entry) or os.getcwd() for entry in sys.path)
    return {**os.environ, "PYTHONPATH": path, "GPUCORE_PROBE": "inprocess"}


def _read_answer(text: str, backend: Backend) -> ProbeResult:
    try:
        result = decode_result(text)
    except ValueError as error:
        return _broken(f"its probe's answer cannot be read: {describe_cause(error)}", backend.hint)
    return check_result(result, backend.name, backend.hint)


def _describe_exit(code: int) -> str:
    if code >= 0:
        return f"ended the process with exit code {code} and no answer"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"crashed the process with {name}"


def _broken(reason: str, hint: str) -> ProbeResult:
    return ProbeResult(ProbeStatus.BROKEN, reason=reason, hint=hint)
