"""What the random kernels are made of: that every form comes up, as a script that stands alone, and reduces soundly."""

from __future__ import annotations

import ast
import functools
import random
import re

import pytest
from drawing import RandomChoices
from fuzz_grammar import HEAD, Writer
from fuzz_kinds import integer_functions
from fuzz_program import Program
from fuzz_streams import Streams
from reducing import reduce_text

import gpucore as gp

PROGRAMS = 1200
FORMS = {
    "a struct read": r"\bpa\[",
    "a struct stored": r"\bpb\[i\] = ",
    "a field changed": r"\bpb\[i\]\.\w+ [^=]*=",
    "a field of a struct in a struct": r"\bqb\[i\]\.part\.\w+",
    "a vector of neighbours": r"gp\.vload\(\w+, ",
    "neighbours stored": r"gp\.vstore\(p\d+(\[.*\])?, ",
    "a component at an index of run time": r"\bv\d+\[[^\]]*[a-z][^\]]*\] [^=]*=",
    "a barrier of workgroup memory": r"gp\.barrier\(buffers=False\)",
    "a component of a field": r"\bqb\[i\]\.lanes\.[xyzw] ",
    "a method of an element": r"\]\.(mixed|turned)\(",
    "a struct made": r"v\d+ = (Part|Pack)\(",
    "structs in private memory": r"private_array\((Part|Pack)",
    "structs of a workgroup": r"workgroup_array\((Part|Pack)",
    "rank 3": r"\brc\[.*\] [^=]*=",
    "rank 4": r"\brd\[.*\] [^=]*=",
    "a shape": r"shape\[[123]\]",
    "a match": r"match ",
    "a match on an enum": r"case Mode\.\w+:",
    "a member chosen": r"v\d+: Mode = \(Mode",
    "a variable of an enum": r"match v\d+:",
    "alternatives": r"case -?\d+ \|",
    "a case for all else": r"case _:",
    "a guard": r"case .* if ",
    "a generic array": r"\btb\[i\] [^=]*=",
    "a type variable's constant": r"\bT\(3\)",
    "an atomic sum of f32": r"gp\.atomic_\w+\(cf,",
    "an atomic of 64 bits": r"gp\.atomic_\w+\((cl|co),",
    "an exchange": r"gp\.atomic_exchange\(",
    "a loop of compare-exchange": r"if h\d+ == e\d+:",
    "subgroups that sum": r"gp\.subgroup_add",
    "a scan": r"gp\.subgroup_exclusive_add",
    "a shuffle": r"gp\.subgroup_shuffle\(",
    "a ballot": r"gp\.subgroup_ballot",
    "a match in a subgroup": r"gp\.subgroup_match",
    "a barrier of a subgroup": r"gp\.subgroup_barrier",
    "any and all": r"gp\.subgroup_(any|all)",
    "subgroups apart": r"if b\d+:\n +b\d+ = gp\.subgroup_inclusive_add",
    "a loop of a subgroup": r"while gp\.subgroup_any",
    "a block of a workgroup": r"gp\.workgroup_exclusive_add",
    "ranks of a workgroup": r"gp\.workgroup_radix_rank",
    "a sort of a workgroup": r"gp\.workgroup_sort\(\w+\)",
    "a sort with values": r"gp\.workgroup_sort\(\w+, t",
    **{f"{name} of any f64": rf"gp\.{name}\((fd\[|zw\[i\])" for name in ("floor", "ceil", "trunc", "round")},
    **{
        f"{name} of 64 bits compared": rf"gp\.[iu]64\(-?\d+\) [<>=!]+ gp\.{name}\("
        for name in ("popcount", "clz", "ctz", "sign")
    },
    **{f"{name} of floats": rf"gp\.{name}\(" for name in ("copysign", "ldexp")},
    "a quotient compared": r"[<>=!]+ \(.* // .*\)\)",
    "a comparison stored": r"gp\.i64\(7\), gp\.i64\(5\)",
    **{name: rf"{re.escape(name)}\(" for arity in (1, 2) for name in integer_functions(arity)},
    "a dot of bytes": r"gp\.dot4_[iu]8_packed\(",
    "a loop that is not unrolled": r"range\((0, )?20\)",
    "an assert": r"assert ",
    "a print": r"print\(",
    "an f-string": r'f"',
}


@functools.cache
def programs() -> list[Program]:
    everything = frozenset(gp.Capability)
    return [Writer(RandomChoices(random.Random(number)), everything).program() for number in range(PROGRAMS)]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_comes_up(form: str) -> None:
    assert any(re.search(FORMS[form], program.text.removeprefix(HEAD)) for program in programs())


def test_some_invocations_continue_after_a_barrier() -> None:
    loops = [loop for program in programs() for loop in ast.walk(ast.parse(program.text)) if isinstance(loop, ast.For)]
    found = 0
    for loop in loops:
        parts = [ast.unparse(statement) for statement in loop.body]
        barriers = [number for number, part in enumerate(parts) if "gp.barrier()" in part]
        found += any(re.fullmatch(r"if .*\[i\].*:\n    continue", part) for part in parts[max(barriers, default=99) :])
    assert found > PROGRAMS // 200


def test_some_are_debugged_and_most_are_not() -> None:
    debugged = sum(program.is_debugged for program in programs())
    assert PROGRAMS // 20 < debugged < PROGRAMS // 5


def test_a_pasted_program_runs_by_itself() -> None:
    device = gp.device("simulator")
    program = next(one for one in programs() if one.enums and one.classes)
    _, names = program.build()  # its module, where the class of a struct in a struct is found
    tail = program.paste().removeprefix(program.text)
    exec(compile(tail, "<pasted>", "exec", dont_inherit=True), names)  # noqa: S102 (the program's text)
    assert len(names["run"](device, debug=False)) == len(program.outputs)


SWAP = """def k(ci):
    v1 = 7
    e2 = gp.atomic_load(ci, 4 + (i & 3))
    for l3 in range(1000):
        h4 = gp.atomic_compare_exchange(ci, 4 + (i & 3), e2, e2 + v1)
        if h4 == e2:
            break
        e2 = h4
    b5 = gp.subgroup_add(v1)
    if gp.subgroup_elect():
        gp.atomic_add(ci, 1, b5)
    y[i] = b5 + 3
"""


def test_what_invocations_do_together_is_reduced_as_a_whole() -> None:
    """Half of it would depend on who comes first, and every such text would seem to fail."""
    seen: list[str] = []

    def still_fails(text: str) -> bool:
        seen.append(text)
        return "break" in text and "elect" in text

    reduced = reduce_text(SWAP, still_fails, 10.0)
    loop, elected = SWAP[SWAP.index("    for l3") : SWAP.index("    b5")], SWAP[SWAP.index("    if gp.sub") :]
    for text in (reduced, *seen):
        assert "compare_exchange" not in text or loop in text + "\n"
        assert "atomic_add" not in text or elected[: elected.index("    y")] in text + "\n"
    assert "y[i]" not in reduced


def test_cases_of_a_match_are_taken_away() -> None:
    text = (
        "def k(y):\n    match m:\n        case 1 | 2:\n            y = f'{m + 1}'\n        case _:\n            z = 2\n"
    )
    reduced = reduce_text(text, lambda one: "y = f'{m + 1}'" in one and "match" in one, 10.0)
    assert ast.unparse(ast.parse(reduced)) == "def k(y):\n    match m:\n        case 1 | 2:\n            y = f'{m + 1}'"


def test_streams_are_given_several_elements_an_invocation() -> None:
    """Most of them are: by accesses of several elements, of one, and as loops."""
    programs = [
        Streams(RandomChoices(random.Random(number)), frozenset(gp.Capability)).program() for number in range(60)
    ]
    texts = [program.build()[0].source("cuda") for program in programs]
    assert sum("[group]" in text for text in texts) > 10
    assert sum("called_workgroups" in text and "[group]" not in text for text in texts) > 3
    assert sum("chunks" in text or "reach" in text for text in texts) > 5
