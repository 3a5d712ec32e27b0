"""Random kernels of matrices: what they are made of, that none has a race, that devices agree, and that `gp.check`
finds the waits that are taken away. More of them by `make fuzz`.
"""

from __future__ import annotations

import dataclasses
import functools
import random
import re

import planted_waits
import pytest
from differential import compare, simulator_of_groups
from drawing import RandomChoices
from fuzz_matrices import HEAD, Matrices
from fuzz_program import Program
from hunting import Hunt
from tile_model import problems

import gpucore as gp
from gpucore.simulator.groups import BEGIN

PROGRAMS = 500
FEW = 1  # of the shorter ones, that devices run
CHECKED = 1
_NUMBER = r"\[[^\]]+\]"
FORMS = {
    **{f"tiles of {kind}": rf"gp\.tiles\(gp\.{kind}, "
       for kind in ("f16", "f32", "bf16", "f64", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")},
    **{f"{count} tiles": rf"gp\.tiles\(gp\.\w+, {count}, " for count in (1, 2, 3, 4)},
    "a copy of a workgroup's own rows": r"gp\.copy_tile\(\w+\[.*\], \w+, g \* ",
    "a copy from before the first row": r"gp\.copy_tile\(\w+\[.*\], \w+, -\d",
    "a copy from before the first column": r"gp\.copy_tile\(.*, -\d+\)$",
    "a copy from anywhere": r"gp\.copy_tile\(.*, r, c\)$",
    "a copy of a part of rank 3": r"gp\.copy_tile\(.*, q_\w+\[1\], ",
    "a copy of every other element": r"gp\.copy_tile\(.*, q_\w+\[:, :, 1\], ",
    "a copy in a helper": r"^ +fetch\(",
    "a tile by a number of run time": r"\[\(n \+ \d\) % [23]\]",
    "a wait for all": r"gp\.copy_wait\((0|)\)",
    "a wait for some": r"gp\.copy_wait\([123]\)",
    "a wait for some of many": r"gp\.copy_wait\([4-6]\)",
    "a barrier": r"gp\.barrier\(\)",
    "a barrier of workgroup memory": r"gp\.barrier\(buffers=False\)",
    "a product": rf"c\d+ \+= \w+{_NUMBER} @ \w+{_NUMBER}$",
    "a product of a transpose and a tile": rf"\+= \w+{_NUMBER}\.T @ \w+{_NUMBER}$",
    "a product of a tile and a transpose": rf"\+= \w+{_NUMBER} @ \w+{_NUMBER}\.T$",
    "a product of transposes": rf"\+= \w+{_NUMBER}\.T @ \w+{_NUMBER}\.T$",
    "a product as a function": r"gp\.multiply_add\(",
    "a product in a helper": r" = product\(",
    "a product by what the device has": r"if gp\.target\.matrix\(",
    "a name of a tile": r"x\d+ = \w+\[",
    "a matrix with a value": r"gp\.matrix\(gp\.\w+, \(.*\), value=3",
    "a matrix with a value of run time": r"gp\.matrix\(gp\.\w+, \(.*\), gp\.\w+\(n\)\)",
    "a matrix of an array": r"gp\.load_matrix\([ab]_",
    "a matrix of an output": r"gp\.load_matrix\(p_",
    "a matrix of a tile": rf"gp\.load_matrix\(u\d+{_NUMBER}, ",
    "a matrix of a transpose": rf"gp\.load_matrix\(u\d+{_NUMBER}\.T, ",
    "a sum": r"c\d+ = c\d+ \+ c\d+",
    "a difference": r"c\d+ = c\d+ - c\d+",
    "a product of elements": r"c\d+ = c\d+ \* c\d+",
    "a number": r"c\d+ = (c\d+ [+*] \d|\d(\.0)? [-*] c\d)",
    "a number of run time": r"c\d+ = .*gp\.\w+\(n\)",
    "a half": r"c\d+ = 0\.5 \* c\d+",
    "a negative": r"c\d+ = -c\d+",
    "a map": r"gp\.map\((cut|little|bounded), c\d+\)",
    "a map with indices": r"gp\.map\(weighed, c\d+, indices=True\)",
    "a map of two": r"gp\.map\((greater|less), c\d+, c\d+\)",
    "a map of two with indices": r"gp\.map\(chosen, c\d+, .*, indices=True\)",
    "a map with a number": r"gp\.map\(\w+, c\d+, gp\.\w+\(2\)",
    "a map with a literal": r"gp\.map\(\w+, c\d+, 2[.,)]",
    "a map to another dtype": r"gp\.map\(gp\.i32, ",
    "a map with rows": r"gp\.map\(less, c\d+, f\d+\)",
    "a reduction of rows": r"f\d+ = gp\.reduce_rows\(",
    "matrices in a helper": r" = combined\(",
    "a store of a part": r"gp\.store_matrix\(c\d+, p_\w+, g \* .*, -?[1-9]",
    "a store anywhere": r"gp\.store_matrix\(c\d+, p_\w+, .*, c\)",
    "a store to a tile": rf"gp\.store_matrix\(.*, u\d+{_NUMBER}, ",
    "a store to a transpose": rf"gp\.store_matrix\(.*, u\d+{_NUMBER}\.T, ",
    "a store to bf16": r"gp\.store_matrix\(c\d+, p_bf16, ",
    "an element read": r"gp\.\w+\(u\d+\[.*, \(t ",
    "an element written": r"u\d+\[.*, l\d+ // ",
    "a loop of products": r"for s\d+ in range\(",
    "a loop that is unrolled": r"for s\d+ in gp\.unroll\(",
    "a while loop of products": r"while s\d+_ < ",
    "a group without copies": r"if s\d+_? \+ \d < ",
    "a loop of matrices": r"for _ in range\(n\)",
    "a branch of the workgroup": r"if g % 2 == 0:",
    "groups that multiply": r"workgroup_size=(128|256)\)\n.*\n(.*\n)*.*\(64, (64|128)\)",
}  # fmt: skip


@functools.cache
def programs() -> list[Program]:
    everything = frozenset(gp.Capability)
    return [Matrices(RandomChoices(random.Random(number)), everything).program() for number in range(PROGRAMS)]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_comes_up(form: str) -> None:
    assert any(re.search(FORMS[form], program.text.removeprefix(HEAD), re.MULTILINE) for program in programs())


def test_each_tile_is_read_after_its_wait_and_written_after_its_reads() -> None:
    """As a model of tiles and groups sees it, which knows nothing of the grammar."""
    assert [(program.text, found) for program in programs() if (found := problems(program))] == []


def test_a_bug_is_planted_in_many() -> None:
    planted = [what for program in programs()[:100] for what, _ in planted_waits.mutants(program)]
    assert planted.count("dropped") > 50 and planted.count("too few") > 25


def test_a_pasted_program_runs_by_itself() -> None:
    device = gp.device("simulator")
    program = next(one for one in programs() if "bf16" in one.text and any(one.starts.values()))
    kernel, names = program.build()
    outcome = program.run(kernel, names, device)
    tail = program.paste().removeprefix(program.text)
    exec(compile(tail, "<pasted>", "exec", dont_inherit=True), names)  # noqa: S102 (the program's text)
    assert [one.tobytes() for one in names["run"](device)] == [one.tobytes() for one in outcome.values.values()]


def test_the_check_finds_the_waits_that_are_taken_away_and_nothing_else() -> None:
    for program in [one for one in programs() if not one.of_groups][:CHECKED]:
        assert planted_waits.complaint(program, 2) == ""


def test_the_check_does_so_where_groups_multiply() -> None:
    grouped = [
        one for one in programs() if one.of_groups and "size=128)" in one.text and any(planted_waits.mutants(one))
    ]
    with simulator_of_groups():
        shortest = next(one for one in sorted(grouped, key=lambda one: len(one.text)) if BEGIN in source(one))
        assert planted_waits.complaint(dataclasses.replace(shortest, of_groups=False), 1, schedules=1) == ""


def source(program: Program) -> str:
    return program.build()[0].source("python", device="simulator")


def test_devices_agree() -> None:
    chosen = [one for one in programs() if not one.of_groups and 72 < len(one.text.splitlines()) < 80]
    for program in chosen[:FEW]:
        assert compare(program) == [], program.paste()


def test_a_hunt_in_them() -> None:
    hunt = Hunt(1, 1, matrices=100)
    hunt.run()
    assert hunt.programs == 1
