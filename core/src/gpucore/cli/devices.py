"""`gpucore devices`: the devices that can be used, best first, and which one is the default.

`--json` prints one object:

    gpucore     version of core
    default     {"id", "why"}: what gpucore.default_device() opens, and the rule behind it; null where there is none
    problem     why there is no default, or (in doctor) why it does not work; "" if there is no problem
    warnings    list of strings: the warnings that a program would get
    devices     list, best first, of objects:
        id            what `gpucore.device` takes: "cuda:0"
        backend       the backend's name: "cuda"
        index         its number within the backend, from 0
        name          the adapter's own name
        kind          "gpu", "igpu", "cpu" or "software"
        driver, api   as the driver reports them; api may be ""
        capabilities  sorted list: the optional features that the device has
        memory        bytes of memory for buffers, all together; 0: the driver does not say
        limits        object: max_workgroup_size [x, y, z], max_workgroup_invocations, max_workgroups [x, y, z],
                      max_workgroup_memory, max_buffer_size, max_binding_size (bytes), max_buffers,
                      max_loop_iterations (null: no limit)
        details       object of strings: other properties that the backend reports

Exit code 0 when there is a default device, else 3.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import warnings
from collections.abc import Mapping
from typing import Any

from gpucore.cli.failures import NO_DEVICE, OK
from gpucore.cli.numbers import format_bytes
from gpucore.cli.screen import Cell, Column, Screen, Styled, open_screen
from gpucore.cli.streams import stdout_to_stderr
from gpucore.errors import BackendError, BackendWarning
from gpucore.runtime.protocol import DeviceInfo
from gpucore.runtime.select import devices, pick, replace_choice
from gpucore.version import __version__

_COLUMNS = (
    Column(""), Column("device", no_wrap=True), Column("kind"), Column("adapter"),
    Column("largest array", right=True), Column("workgroup memory", right=True),
)  # fmt: skip


def add_parser(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("devices", help="list the devices that can be used, best first")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """List the devices. The exit code says whether there is a default."""
    with stdout_to_stderr():
        found = devices()
        document = {
            "gpucore": __version__,
            **describe_default(),
            "devices": [describe_device(info) for info in found],
        }
    if options.json:
        print(json.dumps(document, indent=2))
    else:
        _show(open_screen(), document)
    return OK if document["default"] else NO_DEVICE


def describe_default(
    *, isolated: bool | None = None, timeout: float | None = None, problems: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The keys `default`, `problem` and `warnings`: the result of a choice by the environment, or of
    automatic choice.

    `isolated` and `timeout` (seconds) are those of `gpucore.probe`; `problems` says by id which devices do not work."""
    problems = problems or {}
    chosen: dict[str, str] | None = None
    problem = ""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", BackendWarning)
        try:
            choice = pick(isolated=isolated, timeout=timeout)
            while choice.is_automatic and (failure := problems.get(choice.info.id)):
                choice = replace_choice(choice, failure)
            chosen = {"id": choice.info.id, "why": choice.why}
            problem = problems.get(choice.info.id, "")
        except BackendError as error:
            problem = str(error)
    return {"default": chosen, "problem": problem, "warnings": [str(one.message) for one in caught]}


def describe_device(info: DeviceInfo) -> dict[str, Any]:
    """The properties of a device, as JSON types."""
    return {
        "id": info.id,
        "backend": info.backend,
        "index": info.index,
        "name": info.name,
        "kind": info.kind.value,
        "driver": info.driver,
        "api": info.api,
        "capabilities": sorted(capability.value for capability in info.capabilities),
        "memory": info.memory,
        "limits": dataclasses.asdict(info.limits),
        "details": dict(info.details),
    }


def show_default(screen: Screen, document: dict[str, Any]) -> None:
    """A line that names the default device and the rule behind it, or says why there is none."""
    if default := document["default"]:
        problem = f", which does not work: {document['problem']}" if document["problem"] else ""
        screen.write("default: ", Styled(default["id"], "bad" if problem else "good"), f" ({default['why']}){problem}")
    else:
        screen.write("default: ", Styled("none", "bad"), f": {document['problem']}")


def show_warnings(screen: Screen, document: dict[str, Any], advice: str = "") -> None:
    """The first line of each warning, without the reasons that follow; `advice` says where those are."""
    for warning in document["warnings"]:
        head, _, reasons = warning.partition("\n")
        head = head.removesuffix(", because").rstrip(":.")
        screen.write(Styled("warning: ", "bad"), f"{head}. {advice}".strip() if reasons else head)


def _show(screen: Screen, document: dict[str, Any]) -> None:
    if document["devices"]:
        chosen = document["default"] and document["default"]["id"]
        screen.table(_COLUMNS, [_row(device, device["id"] == chosen) for device in document["devices"]])
        screen.write()
    show_default(screen, document)
    show_warnings(screen, document, "`gpucore doctor` says why.")


def _row(device: dict[str, Any], is_default: bool) -> list[Cell]:
    driver = ", ".join(part for part in (device["driver"], device["api"]) if part)
    capabilities = "capabilities: " + (" ".join(device["capabilities"]) or "none")
    return [
        Styled("*", "good") if is_default else "",
        Styled(device["id"], "strong"),
        device["kind"],
        [device["name"], Styled(f"\n{driver}\n{capabilities}", "faint")],
        format_bytes(device["limits"]["max_binding_size"]),
        format_bytes(device["limits"]["max_workgroup_memory"]),
    ]
