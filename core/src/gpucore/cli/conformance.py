"""`gpucore conformance DEVICE`: whether a backend does what core needs, by the numbered behaviours of
docs/conformance.md. It needs no pytest.

Behaviours run in a child process, which is started again after a crash or a hang: each is one failure. With
`--in-process` a crash ends the command, and so does a hang, at the time limit, with the stacks of all threads.
`--json FILE` writes one object; `version` grows when a key is taken away or means something else:

    format      "gpucore conformance"
    version     1
    gpucore, python, platform    versions of core and Python, and the system
    device      {"id", "name", "kind", "driver"}, as in `gpucore devices`
    tier        as given: "full", "full,algorithms"
    texts       list of the texts of -k
    isolated    whether behaviours ran in a child process
    time_limit  seconds for each
    counts      {"passed", "failed", "expected", "skipped"}: numbers of behaviours
    seconds     that all behaviours took
    behaviours  list of objects, in the order of their numbers:
        number    "C100"
        test      the method that shows it
        case      its name, where the method shows several; else ""
        text      the behaviour
        contract  what requires it: "Backend interface: Buffer.write"
        tier      "basic", "full", "stress", "algorithms" or "debugging"
        status    "passed", "failed", "expected" (it failed, as --expect says) or "skipped"
        reason    why it failed, with the signal, exit code or limit of a child that ended, and why it was skipped
        seconds   that it took
        trace     the traceback of an exception, or ""

Exit code 0 if nothing failed, else 1: a failure that --expect names does not count, and a behaviour that passes against
it has failed. 3 if there is no such device, 4 if it cannot be opened.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpucore.cli.failures import CHECK_FAILED, OK
from gpucore.cli.files import check_writable
from gpucore.cli.screen import Part, Screen, Style, Styled, open_screen
from gpucore.cli.streams import stdout_to_stderr
from gpucore.errors import ArgumentError

if TYPE_CHECKING:
    from gpucore.testing.behaviours import Outcome
    from gpucore.testing.session import Session

_STANDARD_OUTPUT = "-"
_EXPECTATION = re.compile(r"(C\w+)=(.*)", re.DOTALL)
_STYLES: dict[str, Style] = {"passed": "good", "failed": "bad", "expected": "strong", "skipped": "faint"}
_DESCRIPTION = """\
Run the conformance kit on a device: whether its backend does what core needs. Each behaviour has a number and a line in
docs/conformance.md, which says what the tiers are: basic, for a backend that was just begun; full, what every backend
must do, with basic; stress, algorithms and debugging, with their own behaviours alone; all.
"""


def add_parser(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("conformance", help="check that a backend does what it must", description=_DESCRIPTION)
    parser.add_argument("device", metavar="DEVICE", help='a backend or a device id: "mybackend", "cuda:1"')
    parser.add_argument("--tier", default="full", metavar="TIER", help="which behaviours, joined by commas (full)")
    parser.add_argument("-k", action="append", default=[], dest="texts", metavar="TEXT", help=(
        "only those with this text in number, test or contract: C100, copy, Buffer.write; repeatable"
    ))  # fmt: skip
    parser.add_argument("--expect", action="append", default=[], metavar='C123="REASON"', help=(
        "a failure that is expected, and why; or a file of them, .json or .toml. One that passes is a failure"
    ))  # fmt: skip
    parser.add_argument("--time-limit", type=_seconds, metavar="S", help="seconds for each behaviour (120)")
    parser.add_argument("--in-process", action="store_true", help="no child process: a crash or a hang ends the run")
    parser.add_argument("--import", action="append", default=[], dest="imports", metavar="MODULE", help=(
        "import this module first, which may call gp.register_backend; repeatable"
    ))  # fmt: skip
    parser.add_argument("--json", metavar="FILE", help="write a report; - is standard output, and no other text")
    parser.add_argument("--html", metavar="FILE", help="write a report as a page")
    parser.set_defaults(run=run)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"a time limit is a number of seconds above 0, not {text!r}")
    return seconds


def run(options: argparse.Namespace) -> int:
    """Run the behaviours. The exit code says whether one failed."""
    from gpucore.testing.report_page import render_page  # noqa: PLC0415 (150 ms for the suites)
    from gpucore.testing.session import Session  # noqa: PLC0415 (as above)

    is_quiet = options.json == _STANDARD_OUTPUT
    target = None if is_quiet or options.json is None else check_writable(options.json)
    if options.html == _STANDARD_OUTPUT:
        raise ArgumentError("a page is not written to standard output; name a file: --html report.html")
    page = None if options.html is None else check_writable(options.html)
    if options.imports and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # of `python -m gpucore`, but not of the command
    limit = {} if options.time_limit is None else {"time_limit": options.time_limit}
    try:
        session = Session(
            options.device, options.tier, options.texts, _read_expectations(options.expect),
            is_isolated=not options.in_process, imports=options.imports, **limit,
        )  # fmt: skip
    except ValueError as error:
        raise ArgumentError(str(error)) from error
    if is_quiet:
        list(_outcomes(session))
    else:
        _run_shown(open_screen(), session)
    report = session.report()
    if is_quiet:
        print(json.dumps(report, indent=1))
    if target is not None:
        target.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if page is not None:
        page.write_text(render_page(report), encoding="utf-8")
    return CHECK_FAILED if report["counts"]["failed"] else OK


def _read_expectations(given: Sequence[str]) -> dict[str, str]:
    expected: dict[str, str] = {}
    for one in given:
        pair = _EXPECTATION.fullmatch(one)
        for number, reason in ({pair[1]: pair[2]} if pair else _read_file(one)).items():
            if number in expected:
                raise ArgumentError(f"--expect names {number} twice")
            expected[number] = reason
    return expected


def _read_file(path: str) -> dict[str, str]:
    """The expectations of a file: an object of reasons by number."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        found = json.loads(text) if path.endswith(".json") else tomllib.loads(text)
    except OSError as error:
        raise ArgumentError(
            f'--expect {path} is neither C123="reason" nor a file that can be read: {error.strerror}'
        ) from error
    except ValueError as error:
        raise ArgumentError(f"--expect {path}: {error}") from error
    if not isinstance(found, dict) or not all(isinstance(reason, str) for reason in found.values()):
        raise ArgumentError(f'--expect {path}: the file has a reason for each number, such as C123 = "reason"')
    return found


# ---------------------------------------------------------------- text output


def _run_shown(screen: Screen, session: Session) -> None:
    screen.title(f"gpucore conformance {session.device}")
    with screen.progress(len(session.behaviours)) as bar:
        bar.describe("opening the device")
        for at, outcome in enumerate(_outcomes(session)):
            if outcome.status in ("failed", "expected"):
                screen.write(*_line(outcome))
            bar.advance()
            following = session.behaviours[at + 1 : at + 2]
            bar.describe(following[0].name if following else "")
    device = session.info
    screen.write(f"{device['id']}: {device['name']} ({device['kind']}), {device['driver']}")
    skipped: dict[str, int] = {}
    for outcome in session.outcomes:
        if outcome.status == "skipped":
            skipped[outcome.reason] = skipped.get(outcome.reason, 0) + 1
    for reason, count in skipped.items():
        screen.write(Styled(f"skipped {count:4}  {reason}", "faint"))
    parts: list[Part] = []
    for status, count in session.counts.items():
        if count:
            parts += [", " if parts else "", Styled(f"{count} {status}", _STYLES[status])]
    screen.write(*parts, f" in {sum(outcome.seconds for outcome in session.outcomes):.1f} s")


def _outcomes(session: Session) -> Iterator[Outcome]:
    """The outcomes, with what drivers print in this process on standard error."""
    steps = session.run()
    while True:
        with stdout_to_stderr():
            outcome = next(steps, None)
        if outcome is None:
            return
        yield outcome


def _line(outcome: Outcome) -> list[Part]:
    name, style = outcome.behaviour.name, _STYLES[outcome.status]
    return [Styled(f"{name} {outcome.status}", style), f": {outcome.reason}"]
