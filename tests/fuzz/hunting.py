"""Draws programs, compares them over the devices, and on a difference shrinks to a program that can be pasted."""

from __future__ import annotations

import dataclasses
import os
import random
import time
from collections.abc import Callable

import planted_waits
from differential import compare, devices
from drawing import Choices, RandomChoices
from fuzz_grammar import Writer
from fuzz_matrices import Matrices
from fuzz_program import Program
from fuzz_streams import Streams
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from reducing import reduce_text

import gpucore as gp

SHRINKING_S = float(os.environ.get("FUZZ_SHRINKING_S", "30"))
"""How long Hypothesis may make a difference smaller, and then the reduction of its text."""

STREAMS_PERCENT = 15
"""How many of a hundred programs are kernels that core gives several elements an invocation."""

MATRICES_PERCENT = int(os.environ.get("FUZZ_MATRICES", "12"))
"""How many of a hundred programs of a campaign are kernels of matrices."""

SEEDS = st.integers(0, (1 << 62) - 1)
MUTANTS = 2
"""How many bugs are planted in each of them."""


@st.composite
def programs(draw: Callable[..., int], capabilities: frozenset[gp.Capability], matrices: int) -> Program:
    """Programs that need no capability beyond these. Of a hundred, as many as given are of matrices."""
    choices = Choices(draw)
    if matrices and choices.chance(matrices):
        # Of a number alone, so that rare forms come up as often as they should; a failing one is reduced as text.
        return Matrices(RandomChoices(random.Random(draw(SEEDS))), capabilities).program()
    writer = Streams if choices.chance(STREAMS_PERCENT) else Writer
    return writer(choices, capabilities).program()


class _Enough(BaseException):
    """Ends Hypothesis's search for a smaller program. No Exception, so that Hypothesis lets it through."""


class Hunt:
    """Programs of one seed. `before` sees each before it runs: what it writes down survives a driver's crash."""

    def __init__(
        self,
        number: int,
        count: int,
        before: Callable[[Program], None] = lambda program: None,
        matrices: int = MATRICES_PERCENT,
    ) -> None:
        self.number, self.count, self.before, self.matrices = number, count, before, matrices
        self.programs = 0  # that ran and agreed
        self._failing: tuple[str, ...] | None = None
        self._smallest: Program | None = None
        self._complaint = ""  # of the smallest, about its check
        self._until = 0.0

    def run(self) -> None:
        """Raise AssertionError with the smallest program found on which a device differs from the reference."""
        everything = frozenset[gp.Capability]().union(*(device.capabilities for device in devices().values()))
        test = given(programs(everything, self.matrices))(self._check)
        options = settings(
            max_examples=self.count, deadline=None, database=None, print_blob=False, report_multiple_bugs=False,
            phases=(Phase.generate, Phase.shrink), suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        try:
            seed(self.number)(options(test))()
        except (_Enough, AssertionError):
            if self._smallest is None:
                raise
        if self._complaint:
            raise AssertionError(f"seed {self.number}: {self._complaint}")
        if self._smallest is not None:
            smallest = self._smallest
            text = reduce_text(smallest.text, self._still_fails, SHRINKING_S)
            program = dataclasses.replace(smallest, text=text)
            found = compare(program, self._failing)
            stories = "\n".join(f"{difference.device}: {difference.story}" for difference in found)
            raise AssertionError(f"seed {self.number}: devices differ\n{stories}\n\n{program.paste()}")

    def _check(self, program: Program) -> None:
        if self._smallest is not None and time.monotonic() > self._until:
            raise _Enough
        self.before(program)
        found = compare(program, self._failing)
        complaint = ""
        if not found and program.of_matrices and not self._failing:
            complaint = planted_waits.complaint(program, MUTANTS)
        if not found and not complaint:
            self.programs += 1
            return
        if self._failing is None:
            self._until = time.monotonic() + SHRINKING_S
            # While it shrinks, only the devices that differ are asked.
            self._failing = tuple(difference.device for difference in found)
        if self._smallest is None or len(program.text) < len(self._smallest.text):
            self._smallest, self._complaint = program, complaint
        raise AssertionError("devices differ")

    def _still_fails(self, text: str) -> bool:
        assert self._smallest is not None
        program = dataclasses.replace(self._smallest, text=text)
        self.before(program)
        try:
            if program.of_matrices and not program.check().ok:
                return False  # what it gives depends on the order of the invocations
            return any(not difference.is_error for difference in compare(program, self._failing))
        except Exception:  # noqa: BLE001 (a part taken away may make it no kernel at all)
            return False
