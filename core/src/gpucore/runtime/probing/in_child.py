"""Imports and probes a plugin in a child process."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from gpucore.runtime.plugins.records import PluginRecord, PluginStatus, hint_to_reinstall, hint_to_wait
from gpucore.runtime.plugins.verdicts import ENDING_SIGNALS, IMPORT
from gpucore.runtime.probing.child_process import Run, describe_end, quote_output, run_child
from gpucore.runtime.probing.child_report import decode_answer, decode_record, encode_task
from gpucore.runtime.probing.in_process import check_result, timed_out
from gpucore.runtime.protocol import ProbeResult, ProbeStatus
from gpucore.runtime.root_cause import describe_cause

_MODULE = "gpucore.runtime.probing.child"


@dataclass(frozen=True)
class PluginReport:
    """The record of a plugin after import in a child process. If it is LOADED, `results` are those of its summaries."""

    record: PluginRecord
    results: tuple[ProbeResult, ...] = ()
    failed: tuple[str, ...] = ()
    """The steps (see `plugins.verdicts`) that ended the process or did not end."""


def probe_in_child(
    record: PluginRecord, seconds: float, known: Mapping[str, ProbeResult] | None = None
) -> PluginReport:
    """Import a FOUND plugin and probe its backends in a new Python process.

    Each step (the import with the hook, or one probe) has a timeout of `seconds`, after which the process is killed. If
    the process ends early, another one probes the remaining backends. `known` has results of backends to skip. Does not
    raise for errors of the plugin.
    """
    results = {**(known or {})}
    failed: list[str] = []
    try:
        run = run_child(_MODULE, encode_task(record, results.keys()), seconds)
    except OSError as error:
        reason = f"the child process that imports it cannot be started: {describe_cause(error)}"
        return PluginReport(record.refuse(PluginStatus.BROKEN, reason))
    if not run.lines:
        return PluginReport(_refuse(record, run, seconds), failed=() if _was_signalled(run) else (IMPORT,))
    try:
        loaded = decode_record(run.lines[0], record)
    except ValueError as error:
        reason = f"the answer of the process that imported it cannot be read: {describe_cause(error)}"
        return PluginReport(record.refuse(PluginStatus.BROKEN, reason, hint_to_reinstall(record)))
    while True:
        results |= _read_results(run.lines[1:], loaded)
        left = [summary for summary in loaded.summaries if summary.name not in results]
        if left:
            results[left[0].name] = _describe_failure(run, left[0].hint, seconds)
            failed += [] if _was_signalled(run) else [left[0].name]
        if len(left) <= 1:
            return PluginReport(loaded, tuple(results[one.name] for one in loaded.summaries), tuple(failed))
        with contextlib.suppress(OSError):  # then the other backends get the result of the last run
            run = run_child(_MODULE, encode_task(record, results.keys()), seconds)


def _was_signalled(run: Run) -> bool:
    """Whether a user or the system ended the process, which is not a crash of the plugin."""
    return run.code is not None and -run.code in ENDING_SIGNALS


def _refuse(record: PluginRecord, run: Run, seconds: float) -> PluginRecord:
    """The record of a plugin whose import or hook ended the process, or did not end."""
    what = f"importing {record.module} and calling its hook"
    if run.code is None:
        reason = f"{what} did not end in {seconds:g} s{quote_output(run.printed)}"
        return record.refuse(PluginStatus.TIMED_OUT, reason, hint_to_wait(record))
    return record.refuse(PluginStatus.BROKEN, f"{what} {describe_end(run)}", hint_to_reinstall(record))


def _read_results(lines: Collection[str], record: PluginRecord) -> dict[str, ProbeResult]:
    """Results by backend. A line that cannot be read leaves its backend without one."""
    hints = {summary.name: summary.hint for summary in record.summaries}
    found = {}
    for line in lines:
        with contextlib.suppress(ValueError):
            name, result = decode_answer(line)
            if name in hints:
                found[name] = check_result(result, name, hints[name], record.origin)
    return found


def _describe_failure(run: Run, hint: str, seconds: float) -> ProbeResult:
    """The result of the backend that was being probed when its process ended."""
    if run.code is None:
        result = timed_out(hint, seconds)
        return ProbeResult(result.status, reason=result.reason + quote_output(run.printed), hint=result.hint)
    return ProbeResult(ProbeStatus.BROKEN, reason=f"its probe {describe_end(run)}", hint=hint)
