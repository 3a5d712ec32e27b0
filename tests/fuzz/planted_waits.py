"""What `gp.check` says of kernels of matrices: nothing, and of a wait that is missing or waits for one group too few,
that a tile is read while a copy to it is under way.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from differential import simulator_of_groups
from fuzz_program import Program
from tile_model import EARLY, problems

_WAIT = re.compile(r"gp\.copy_wait\((\d*)\)")
_FIX = "gp.copy_wait"
"""In what the check says of a tile that is read while a copy is under way, or that may be."""


def mutants(program: Program) -> Iterator[tuple[str, Program]]:
    """What is done to a wait, and the program after it: each reads a tile before its copies have ended."""
    for found in _WAIT.finditer(program.text, program.text.index("def k(")):
        for what, text in (("dropped", "pass"), ("too few", f"gp.copy_wait({int(found[1] or 0) + 1})")):
            mutant = dataclasses.replace(
                program, text=program.text[: found.start()] + text + program.text[found.end() :]
            )
            if (EARLY, True) in problems(mutant):
                yield what, mutant


def complaint(program: Program, most: int, schedules: int = 2) -> str:
    """What is wrong with the check of a program, or with that of up to `most` of its mutants; "" for nothing."""
    found = _complaint(program, most, schedules)
    if not found and program.of_groups:
        with simulator_of_groups():
            found = _complaint(program, most, schedules)
    return found


def _complaint(program: Program, most: int, schedules: int) -> str:
    report = program.check(schedules)
    if not report.ok:
        return f"the check finds\n{report}\n\n{program.paste()}"
    for (what, mutant), _ in zip(mutants(program), range(most), strict=False):
        report = mutant.check()
        if not any(_FIX in finding.fix for finding in report.findings):
            return f"the check does not find that a wait is {what}: {report}\n\n{mutant.paste()}"
    return ""
