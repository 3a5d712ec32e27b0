"""The child process of `isolation`: python -P -m gpucore.testing.isolation_child DEVICE --time-limit S.

It imports the modules of `--import`, opens the device, and then runs the behaviours whose numbers it reads, one a line,
from standard input. Its answers, one line of JSON each, go to what was its standard output; `print` and drivers go to
standard error.
"""

from __future__ import annotations

import argparse
import dataclasses
import faulthandler
import importlib
import json
import os
import sys
from typing import IO, Any

import gpucore as gp
from gpucore.runtime.probing.child import forbid_core_dumps
from gpucore.runtime.root_cause import describe_cause
from gpucore.testing.behaviours import list_behaviours, run_behaviour
from gpucore.testing.devices import describe_device, explain_missing
from gpucore.testing.suites import Behaviours


def main() -> None:
    """Answer until standard input ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("device")
    parser.add_argument("--time-limit", type=float, required=True)
    parser.add_argument("--start-limit", type=float, required=True)
    parser.add_argument("--import", dest="modules", action="append", default=[])
    options = parser.parse_args()
    faulthandler.enable()
    forbid_core_dumps()
    numbers, answers = _own_streams()
    faulthandler.dump_traceback_later(options.start_limit, exit=True)
    device, answer = _open(options.device, options.modules)
    _answer(answers, answer)
    behaviours = {behaviour.number: behaviour for behaviour in list_behaviours(Behaviours)}
    for line in numbers if device else ():
        assert device is not None
        faulthandler.dump_traceback_later(options.time_limit, exit=True)
        outcome = run_behaviour(Behaviours, device, behaviours[line.strip()])
        kept = dataclasses.asdict(dataclasses.replace(outcome, behaviour=None))  # type: ignore[arg-type]
        _answer(answers, kept)
    os._exit(0)  # without unloading drivers, as some crash or hang when unloaded


def _own_streams() -> tuple[IO[str], IO[str]]:
    """Standard input and output for the parent alone: others read nothing, and print to standard error."""
    numbers, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return numbers, answers


def _open(name: str, modules: list[str]) -> tuple[gp.Device | None, dict[str, Any]]:
    """The device, and the answer about it."""
    try:
        for module in modules:
            importlib.import_module(module)
    except Exception as error:  # noqa: BLE001 (it is the user's module)
        return None, {"broken": f"{module} cannot be imported: {describe_cause(error)}"}
    try:
        device = gp.device(name)
    except gp.BackendUnavailableError as error:
        missing = explain_missing(name, error)
        return None, {"absent" if missing.is_absent else "broken": missing.reason}
    except Exception as error:  # noqa: BLE001 (a backend under test may raise anything)
        return None, {"broken": f"opening {name} raised {describe_cause(error)}"}
    return device, {"ready": describe_device(device)}


def _answer(answers: IO[str], answer: dict[str, Any]) -> None:
    faulthandler.cancel_dump_traceback_later()
    print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
