"""Import and probe a plugin in a child process: whatever it or its drivers do there, this process lives on.

The child answers with JSON on a file descriptor of its own, because drivers print. All of its outputs are files, not
pipes: nothing has to be drained while it runs, and nobody that it leaves behind can keep a pipe open.
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
from collections.abc import Collection
from dataclasses import dataclass
from typing import IO, Any

from gpucore.runtime.plugins.records import Offer, PluginRecord, PluginStatus, hint_to_reinstall, hint_to_wait
from gpucore.runtime.probing.child_report import decode_answer, decode_record, encode_task
from gpucore.runtime.probing.in_process import check_result, timed_out
from gpucore.runtime.protocol import ProbeResult, ProbeStatus
from gpucore.runtime.root_cause import describe_cause

_MODULE = "gpucore.runtime.probing.child"
_TAIL = 400  # characters of what was printed that are worth showing
_LOOK = 0.2  # seconds between looks at how far the child is
_CRASH = re.compile(r"(?:Fatal Python error|Windows fatal exception): ")  # what Python itself prints of a crash
_FRAME = re.compile(r'File "(.+)", line (\d+)')


@dataclass(frozen=True)
class Answer:
    """What became of a plugin in a child process. A LOADED record has a result for each of its offers, in order."""

    record: PluginRecord
    results: tuple[ProbeResult, ...] = ()


@dataclass(frozen=True)
class _Run:
    """One child process that has ended."""

    lines: tuple[str, ...]  # whole ones only; they count even if the child crashed or hung later
    code: int | None  # None: it was killed at the deadline
    printed: str


def ask_plugin(record: PluginRecord, seconds: float) -> Answer:
    """Import a FOUND plugin and probe its backends in a new Python process.

    Each step, that is the import with the hook, or one probe, may take `seconds`; then the process is killed. Where it
    ends early, another one probes the backends that are left. Never raises for what the plugin does.
    """
    try:
        run = _run_child(record, (), seconds)
    except OSError as error:
        reason = f"a child process to import it cannot be run: {describe_cause(error)}"
        return Answer(record.refuse(PluginStatus.BROKEN, reason))
    if not run.lines:
        return Answer(_refuse(record, run, seconds))
    try:
        loaded = decode_record(run.lines[0], record)
    except ValueError as error:
        reason = f"the answer of the process that imported it cannot be read: {describe_cause(error)}"
        return Answer(record.refuse(PluginStatus.BROKEN, reason, hint_to_reinstall(record)))
    results: dict[str, ProbeResult] = {}
    while True:
        results |= _read_answers(run.lines[1:], loaded.offers)
        left = [offer for offer in loaded.offers if offer.name not in results]
        if left:
            results[left[0].name] = _describe_failure(run, left[0].hint, seconds)
        if len(left) <= 1:
            return Answer(loaded, tuple(results[offer.name] for offer in loaded.offers))
        with contextlib.suppress(OSError):  # then the others share the last run's end
            run = _run_child(record, results.keys(), seconds)


def _run_child(record: PluginRecord, skipped: Collection[str], seconds: float) -> _Run:
    with tempfile.TemporaryFile() as output, tempfile.NamedTemporaryFile(delete=False) as answer:
        try:
            code = _start_and_wait(encode_task(record, skipped), answer, output, seconds)
            answer.seek(0)
            text = answer.read().decode("utf-8", errors="replace")
        finally:
            answer.close()
            os.unlink(answer.name)
        output.seek(0)
        return _Run(tuple(text.split("\n")[:-1]), code, output.read().decode("utf-8", errors="replace"))


def _start_and_wait(task: str, answer: IO[bytes], output: IO[bytes], seconds: float) -> int | None:
    """The exit code of the child, or None if it had to be killed at a deadline."""
    command = [sys.executable, "-P", "-m", _MODULE, task, "--seconds", str(seconds)]
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
    """Wait as long as the file grows within each stretch of `seconds`."""
    size, deadline = 0, time.monotonic() + seconds
    while True:
        try:
            return process.wait(min(_LOOK, max(0.0, deadline - time.monotonic())))
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
        os.killpg(process.pid, signal.SIGKILL)  # its number is still its own: nobody has waited for it yet
    else:
        process.kill()
    with contextlib.suppress(subprocess.TimeoutExpired):  # stuck in the kernel; it dies when its driver lets go
        process.wait(1.0)


def _environment() -> dict[str, str]:
    """The child finds the same modules as this process and starts no child of its own."""
    path = os.pathsep.join(str(entry) or os.getcwd() for entry in sys.path)
    return {**os.environ, "PYTHONPATH": path, "GPUCORE_PROBE": "inprocess"}


def _refuse(record: PluginRecord, run: _Run, seconds: float) -> PluginRecord:
    """The record of a plugin whose import or hook ended the process, or did not end."""
    what = f"importing {record.module} and calling its hook"
    if run.code is None:
        reason = f"{what} did not end in {seconds:g} s{_quote(run.printed)}"
        return record.refuse(PluginStatus.TIMED_OUT, reason, hint_to_wait(record))
    return record.refuse(PluginStatus.BROKEN, f"{what} {_describe_end(run)}", hint_to_reinstall(record))


def _read_answers(lines: Collection[str], offers: Collection[Offer]) -> dict[str, ProbeResult]:
    """Results by backend. A line that cannot be read leaves its backend without one."""
    hints = {offer.name: offer.hint for offer in offers}
    found = {}
    for line in lines:
        with contextlib.suppress(ValueError):
            name, result = decode_answer(line)
            if name in hints:
                found[name] = check_result(result, name, hints[name])
    return found


def _describe_failure(run: _Run, hint: str, seconds: float) -> ProbeResult:
    """The result of the backend that was being probed when its process ended."""
    if run.code is None:
        result = timed_out(hint, seconds)
        return ProbeResult(result.status, reason=result.reason + _quote(run.printed), hint=result.hint)
    return ProbeResult(ProbeStatus.BROKEN, reason=f"its probe {_describe_end(run)}", hint=hint)


def _describe_end(run: _Run) -> str:
    """How a process ended that gave no answer: "crashed the process with SIGSEGV in foo.py, line 3; it printed: x"."""
    code = run.code or 0
    printed, *crash = _CRASH.split(run.printed, maxsplit=1)
    place = _FRAME.search(crash[0]) if crash else None
    where = f" in {place[1]}, line {place[2]}" if place else ""
    if code >= 0:
        return f"ended the process with exit code {code} and no answer{where}{_quote(printed)}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"crashed the process with {name}{where}{_quote(printed)}"


def _quote(printed: str) -> str:
    tail = " ".join(printed.split())[-_TAIL:]
    return f"; it printed: {tail}" if tail else ""
