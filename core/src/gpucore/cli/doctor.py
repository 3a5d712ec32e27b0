"""`gpucore doctor`: every plugin that is found and every official one that is not, with the reason
and what to do.

Plugins are imported and probed in child processes, so that one that crashes or hangs, or whose driver does, is reported
as well. Then each device is opened and runs a small kernel, in a child process too. `--json` prints one object:

    gpucore      version of core
    python       {"version", "implementation", "executable"}
    platform     text such as "Linux-6.1-x86_64"
    environment  object: the variables GPUCORE_* that are set
    mistakes     list of strings: variables with invalid values
    ok           whether the default device works, and a device besides the simulator
    default, problem, warnings    as in `gpucore devices`
    backends     list of objects:
        name          of the backend, or of the plugin where it has none
        distribution  "" for a backend that is not installed, or that the program registered
        version       of the distribution
        module        the plugin's module
        status        "available", "no_driver", "no_device", "broken", "timed_out", "incompatible", "blocked" or
                      "not_installed"
        reason, hint  why there is no device, and what to do; "" if there is no problem
        devices       list as in `gpucore devices`; each also has "problem": why it does not work, "" if it works
    left_out     list of objects: plugins that programs skip for a while, as they failed in earlier processes
        plugin, backend  backend is "" if importing the plugin failed
        reason, until    until is in local time, as in "2026-01-31 12:00"

The home folder is shown as ~. Exit code 2 if an environment variable has an invalid value, else 0 if the default
device works and a device besides the simulator, else 1.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

from gpucore.cli.device_check import check_devices, check_in_process
from gpucore.cli.devices import describe_default, describe_device, show_default, show_warnings
from gpucore.cli.failures import CHECK_FAILED, OK, USAGE
from gpucore.cli.screen import Cell, Column, Part, Screen, Styled, open_screen
from gpucore.cli.streams import stdout_to_stderr
from gpucore.runtime.plugins import verdicts
from gpucore.runtime.plugins.manager import TABLE, hints_for_missing
from gpucore.runtime.plugins.records import OFFICIAL, SIMULATOR, PluginStatus
from gpucore.runtime.probing.probe import probe_all
from gpucore.runtime.settings import DEFAULT_PROBE_TIMEOUT, PREFIX, find_mistakes, read_probe_timeout
from gpucore.version import __version__

_CHECK_FACTOR = 3  # the timeout for opening a device and running a kernel, as a multiple of that of a probe
_COLUMNS = (Column("backend", no_wrap=True), Column("from"), Column("status"))


def add_parser(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("doctor", help="check which backends work, and why others do not")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a report")
    parser.add_argument("--refresh", action="store_true", help="let programs try plugins again that crashed or hung")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Examine the installation. The exit code says whether anything besides the simulator works."""
    if options.refresh:
        verdicts.clear()
    with stdout_to_stderr():
        report = _examine()
    if options.json:
        print(json.dumps(report, indent=2))
    else:
        _show(open_screen(), report)
    if report["mistakes"]:
        return USAGE
    return OK if report["ok"] else CHECK_FAILED


def _examine() -> dict[str, Any]:
    mistakes = find_mistakes()
    has_timeout = not any("GPUCORE_PROBE_TIMEOUT" in mistake for mistake in mistakes)
    timeout = read_probe_timeout() if has_timeout else DEFAULT_PROBE_TIMEOUT
    backends = _examine_backends(timeout)
    problems = {device["id"]: device["problem"] for one in backends for device in one["devices"]}
    default = describe_default(isolated=True, timeout=timeout, problems=problems)
    report: dict[str, Any] = {
        "gpucore": __version__,
        "python": {
            "version": platform.python_version(),
            "implementation": platform.python_implementation(),
            "executable": sys.executable,
        },
        "platform": platform.platform(),
        "environment": {name: os.environ[name] for name in sorted(os.environ) if name.startswith(PREFIX)},
        "mistakes": mistakes,
        "ok": not default["problem"] and _has_working_backend(backends),
        **default,
        "backends": backends,
        "left_out": [_describe_verdict(verdict) for verdict in _list_verdicts(timeout)],
    }
    redacted: dict[str, Any] = _redact(report)
    return redacted


def _examine_backends(timeout: float) -> list[dict[str, Any]]:
    found = []
    own: set[str] = set()
    for record, name, result in probe_all(isolated=True, timeout=timeout):
        own |= {name} if record.is_own else set()
        found.append(
            {
                "name": name,
                "distribution": record.distribution,
                "version": record.version,
                "module": record.module,
                "status": result.status.value,
                "reason": result.reason,
                "hint": result.hint,
                "devices": [describe_device(info) for info in result.devices],
            }
        )
    _check_devices(found, own, timeout * _CHECK_FACTOR)
    for name, hint in hints_for_missing().items():
        reason = f"{OFFICIAL[name].distribution} is not installed"
        fields = {"name": name, "distribution": "", "version": "", "module": "", "status": "not_installed"}
        found.append({**fields, "reason": reason, "hint": hint, "devices": []})
    return found


def _list_verdicts(timeout: float) -> list[verdicts.Verdict]:
    """Those for which programs skip plugins, as they are installed now."""
    found = (record for record in TABLE.list_found() if record.status is PluginStatus.FOUND)
    return [verdict for record in found for verdict in verdicts.recall(record, timeout).values()]


def _describe_verdict(verdict: verdicts.Verdict) -> dict[str, str]:
    until = time.strftime("%Y-%m-%d %H:%M", time.localtime(verdict.until))
    return {"plugin": verdict.plugin, "backend": verdict.step, "reason": verdict.reason, "until": until}


def _check_devices(backends: list[dict[str, Any]], own: set[str], seconds: float) -> None:
    """Set the problem of each device. A backend without a working device is broken. `own` are backends that a child
    process cannot load."""
    in_children = [info["id"] for one in backends if one["name"] not in own for info in one["devices"]]
    problems = check_devices(in_children, seconds)
    for one in backends:
        for info in one["devices"]:
            info["problem"] = check_in_process(info["id"], seconds) if one["name"] in own else problems[info["id"]]
        if one["devices"] and not _works(one):
            one["status"] = "broken"
            one["reason"] = "; ".join(f"{info['id']}: {info['problem']}" for info in one["devices"])
            one["hint"] = one["hint"] or f"repair its driver, or set GPUCORE_BLOCK={one['name']} to disable it"


def _works(backend: dict[str, Any]) -> bool:
    return any(not info["problem"] for info in backend["devices"])


def _has_working_backend(backends: list[dict[str, Any]]) -> bool:
    return any(_works(one) and one["name"] != SIMULATOR for one in backends)


def _redact(value: Any) -> Any:
    """`value` with the home folder as ~, as people publish reports."""
    home = str(Path("~").expanduser())
    if isinstance(value, str):
        return value.replace(home, "~") if len(home) > 1 else value
    if isinstance(value, dict):
        return {key: _redact(one) for key, one in value.items()}
    return [_redact(one) for one in value] if isinstance(value, list) else value


# ---------------------------------------------------------------- text output


def _show(screen: Screen, report: dict[str, Any]) -> None:
    python = report["python"]
    screen.title("gpucore doctor")
    screen.write("gpucore      ", report["gpucore"])
    screen.write("Python       ", f"{python['version']} ({python['implementation']}), {python['executable']}")
    screen.write("platform     ", report["platform"])
    settings = [f"{name}={value!r}" for name, value in report["environment"].items()]
    screen.write("environment  ", "\n             ".join(settings) or f"no variable {PREFIX}* is set")
    for mistake in report["mistakes"]:
        screen.write(Styled("mistake      ", "bad"), mistake)
    screen.write()
    ids = [info["id"] for one in report["backends"] for info in one["devices"]]
    last = Column("devices, or why there are none", min_width=max(map(len, ids), default=0))
    screen.table((*_COLUMNS, last), [_row(one) for one in report["backends"]])
    screen.write()
    _show_left_out(screen, report)
    show_default(screen, report)
    show_warnings(screen, report)
    _show_hints(screen, report)
    if report["ok"]:
        screen.write(Styled("A device besides the simulator works.", "good"))
    elif _has_working_backend(report["backends"]):
        screen.write(Styled("The default device does not work.", "bad"), " Choose another one by name.")
    else:
        screen.write(Styled("Only the simulator works.", "bad"), " The hints above say what to install.")


def _show_left_out(screen: Screen, report: dict[str, Any]) -> None:
    for one in report["left_out"]:
        what = f"{one['plugin']}, backend {one['backend']}," if one["backend"] else one["plugin"]
        screen.write(Styled(f"{what} is skipped by automatic choice until {one['until']}", "bad"), f": {one['reason']}")
    if report["left_out"]:
        screen.write("  A choice by name tries it again; after `gpucore doctor --refresh` all programs do.")


def _row(backend: dict[str, Any]) -> list[Cell]:
    origin = f"{backend['distribution']} {backend['version']}".strip() or "-"
    style: dict[str, Any] = {"available": "good", "not_installed": "faint", "blocked": "faint"}
    status = Styled(backend["status"].replace("_", " "), style.get(backend["status"], "bad"))
    what: list[Part] = [backend["reason"]]
    if _works(backend):
        what = ["\n".join(_describe_device(one) for one in backend["devices"])]
    return [Styled(backend["name"], "strong"), origin, status, what]


def _describe_device(device: dict[str, Any]) -> str:
    problem = f": {device['problem']}" if device["problem"] else ""
    return f"{device['id']} {device['name']} ({device['kind']}){problem}"


def _show_hints(screen: Screen, report: dict[str, Any]) -> None:
    hints = [(one["name"], one["hint"]) for one in report["backends"] if one["hint"] and not _works(one)]
    if hints:
        screen.write(Styled("What to do next:", "strong"))
    for name, hint in hints:
        screen.write(f"  {name}: {hint}")
