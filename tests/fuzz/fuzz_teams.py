"""What invocations do together in random kernels: subgroups, whatever their size, and atomics in any order."""

from __future__ import annotations

from fuzz_kinds import FLOATS, INTEGERS, Readable, Variable
from fuzz_statements import ATOMICS, SLOTS, Statements

EXCHANGES = 8  # elements of the array of exchanges, each for one statement
ATTEMPTS = 1000  # more than others can come in between

_SWAPS = {"add": "{0} + {1}", "min": "gp.min({0}, {1})", "max": "gp.max({0}, {1})", "and": "{0} & {1}",
          "or": "{0} | {1}", "xor": "{0} ^ {1}"}  # fmt: skip


class Teams(Statements):
    """Writes operations whose results do not depend on the size of subgroups or on who comes first.

    Names of the form b1, e1, h1 are parts of such an operation, and of no use alone.
    """

    cells: tuple[tuple[str, str], ...] = ()  # atomics of which each invocation has its own, and their kinds
    sums = ""  # a counter of f32
    exchanged = ""  # i32; each element is exchanged by one statement
    are_apart = False  # subgroups may take their own ways: the program is for devices with native subgroups
    _exchanges = 0

    def more_forms(self) -> list[tuple[int, str]]:
        forms = super().more_forms()
        if not self.cells:
            return forms
        forms += [(2, "cell"), (1, "sum"), (1, "swap")] + [(1, "same")] * (self._exchanges < EXCHANGES)
        if self.is_uniform:
            forms += [(2, "team_total"), (1, "team_count"), (2, "team_self"), (1, "team_same"), (1, "team_match")]
            forms += [(1, "team_exchange")] * (self.nesting < 4 and self.budget > 0 and self.invocations % 4 == 0)
            forms += [(3, "block")] + [(1, "apart"), (1, "apart_loop")] * self.are_apart
            forms += [(1, "shared_sum")] * (self.nesting < 4 and self.budget > 0 and self.invocations > 1)
        return forms

    def _keep(self, text: str, kind: str) -> str:
        """A variable of what was computed."""
        name = self.fresh("v")
        self.line(f"{name} = {text}")
        self.variables.append(Variable(name, kind))
        return name

    # ---------------------------------------------------------------- atomics

    def _write_cell(self) -> None:
        name, kind = self.choices.one_of(self.cells)
        given = self.stored(kind, 2)
        if self.choices.chance(20):
            self.line(f"gp.atomic_store({name}, i, {given})")
            return
        operations = ["exchange", "load", "add", "sub"]
        if kind in INTEGERS:
            operations += ["compare_exchange", *ATOMICS]
        operation = self.choices.one_of(operations)
        if operation == "compare_exchange":
            given = f"{self.choices.one_of((f'gp.atomic_load({name}, i)', self.integer(kind, 1)))}, {given}"
        call = f"gp.atomic_{operation}({name}, i{'' if operation == 'load' else f', {given}'})"
        if kind in FLOATS:
            most = FLOATS[kind][0]
            call = f"gp.clamp({call}, -{most}.0, {most}.0)"
        self._keep(call, kind)

    def _write_sum(self) -> None:
        array = Readable(self.sums, "f32", (SLOTS,), is_buffer=False)
        operation = self.choices.one_of(("add", "sub"))
        self.line(f"gp.atomic_{operation}({self.sums}, {self.index(array, 0)}, {self.stored('f32', 2)})")

    def _write_same(self) -> None:
        """All who come write the same."""
        value = self.choices.one_of(("7", "n", "m", "part.whole", "-m"))
        self.line(f"gp.atomic_exchange({self.exchanged}, {self._exchanges}, {value})")
        self._exchanges += 1

    def _write_swap(self) -> None:
        """An atomic operation made of compare-exchange."""
        name, kind = self.choices.one_of(self.counters)
        which = self.choices.below(len(ATOMICS) - 1)
        given = self._keep(self.integer(kind, 2), kind)
        array = Readable(name, kind, (SLOTS,), is_buffer=False)
        place = f"{name}, {SLOTS * which} + ({self.index(array, 0)})"
        expected, held, pass_ = self.fresh("e"), self.fresh("h"), self.fresh("l")
        self.line(f"{expected} = gp.atomic_load({place})")
        self.line(f"for {pass_} in range({ATTEMPTS}):")
        after = _SWAPS[ATOMICS[which]].format(expected, given)
        self.line(f"    {held} = gp.atomic_compare_exchange({place}, {expected}, {after})")
        self.line(f"    if {held} == {expected}:")
        self.line("        break")
        self.line(f"    {expected} = {held}")

    def _write_shared_sum(self) -> None:
        """A sum of f32 in memory of the workgroup."""
        name = self.fresh("w")
        self.line(f"{name} = gp.workgroup_array(gp.f32, {self.invocations})")
        self.line(f"{name}[t] = {self.stored('f32', 1)}")
        barrier = self.choices.one_of(("gp.barrier()", "gp.barrier(buffers=False)"))
        self.line(barrier)
        self.line(f"gp.atomic_add({name}, {self.choices.below(self.invocations)}, {self.stored('f32', 2)})")
        self.line(barrier)
        self._keep(f"gp.clamp({name}[t], -64.0, 64.0)", "f32")
        self.line(barrier)

    # ---------------------------------------------------------------- subgroups

    def _operand(self) -> tuple[str, str]:
        kind = self.choices.one_of(("i32", "u32", "f32"))
        return self._keep(self.stored(kind, 2), kind), kind

    def _part(self, text: str) -> str:
        name = self.fresh("b")
        self.line(f"{name} = {text}")
        return name

    def _elected(self, operation: str, counter: str, which: int, value: str) -> None:
        """One of each subgroup changes a counter."""
        slot = SLOTS * which + self.choices.below(SLOTS)
        self.line("if gp.subgroup_elect():")
        self.line(f"    gp.atomic_{operation}({counter}, {slot}, {value})")

    def _write_team_total(self) -> None:
        operand, kind = self._operand()
        if kind == "f32":
            self._elected("add", self.sums, 0, self._part(f"gp.subgroup_add({operand})"))
            return
        counter = next(name for name, of in self.counters if of == kind)
        operation = self.choices.one_of(("add", "min", "max"))
        total = self._part(f"gp.subgroup_{operation}({operand})")
        self._elected(operation, counter, ATOMICS.index(operation), total)

    def _write_team_count(self) -> None:
        """How many find a condition true; whether any or all do."""
        condition = self._keep(self.truth(2), "bool")
        form = self.choices.below(3)
        if form == 0:
            bits = self._part(f"gp.subgroup_ballot({condition})")
            total = self._part(" + ".join(f"gp.popcount({bits}.{part})" for part in "xyzw"))
            self._elected("add", "cu", 0, total)
        else:
            name, operation = (("any", "or"), ("all", "and"))[form - 1]
            found = self._part(f"gp.subgroup_{name}({condition})")
            self._elected(operation, "ci", ATOMICS.index(operation), f"gp.i32({found})")

    def _write_team_self(self) -> None:
        """One's own value, from the subgroup."""
        operand, kind = self._operand()
        form = self.choices.below(4)
        if form == 0:
            up, before = (self._part(f"gp.subgroup_{which}_add({operand})") for which in ("inclusive", "exclusive"))
            self._keep(f"{up} - {before}", kind)
        elif form == 1:
            lane = self._part("gp.subgroup_invocation_id()")
            self._keep(f"gp.subgroup_shuffle({operand}, {lane})", kind)
        elif form == 2 or self.invocations % 4:
            name, none = self.choices.one_of((("xor", 0), ("up", 0), ("down", 0)))
            self._keep(f"gp.subgroup_shuffle_{name}({operand}, {none})", kind)
        else:
            other = self._part(f"gp.subgroup_shuffle_xor({operand}, 1)")
            self._keep(f"gp.subgroup_shuffle_xor({other}, 1)", kind)

    def _write_team_match(self) -> None:
        """The lowest bits of the first of the subgroup with the same lowest bits."""
        kind = self.choices.one_of(("i32", "u32"))
        operand = self._keep(self.stored(kind, 2), kind)
        bits = self.choices.one_of((1, 2, 8, 31, 32))
        same = self._part(f"gp.subgroup_match({operand}, {bits})")
        first = self._part(f"gp.ctz({same}.x) if {same}.x else gp.ctz({same}.y) + 32")
        other = self._part(f"gp.subgroup_shuffle(gp.u32({operand}), {first})")
        self._keep(f"{other} & {(1 << bits) - 1}", "u32")

    def _write_team_exchange(self) -> None:
        """One's own value, by way of another invocation of the subgroup."""
        operand, kind = self._operand()
        name, held = self.fresh("w"), self.fresh("h")
        self.line(f"{name} = gp.workgroup_array(gp.{kind}, {self.invocations})")
        other = self._part("gp.subgroup_shuffle_xor(t, 1)")
        self.line(f"{name}[t] = {operand}")
        self.line("gp.subgroup_barrier()")
        self.line(f"{held} = {name}[{other}]")
        self.line("gp.subgroup_barrier()")
        self.line(f"{name}[t] = {held}")
        self.line("gp.subgroup_barrier()")
        self._keep(f"{name}[{other}]", kind)

    def _write_team_same(self) -> None:
        """What is the same in all of the workgroup is what its subgroups find."""
        value = self._part(f"{self.choices.one_of(self.uniform_names)} * {self.choices.one_of((1, 3, -5))}")
        call = self.choices.one_of(("subgroup_broadcast({0}, 0)", "subgroup_min({0})", "subgroup_max({0})"))
        self._keep(f"gp.{call.format(value)}", "i32")
        if self.choices.chance(40):
            forms = ("gp.subgroup_invocation_id() < gp.subgroup_size()", "gp.subgroup_id() < gp.num_subgroups()")
            self._keep(self.choices.one_of(forms), "bool")

    def _write_apart(self) -> None:
        """One's own value: subgroups take two ways to it, each as a whole."""
        operand, kind = self._operand()
        condition = self.choices.one_of((f"gp.subgroup_any({self.truth(1)})", "gp.subgroup_id() % 2 == 0"))
        way, found = self._part(condition), self._part(f"gp.{kind}(0)")
        parts = [self.fresh("b") for _ in range(3)]
        self.line(f"if {way}:")
        self.line(f"    {parts[0]} = gp.subgroup_inclusive_add({operand})")
        self.line(f"    {parts[1]} = gp.subgroup_exclusive_add({operand})")
        self.line(f"    {found} = {parts[0]} - {parts[1]}")
        self.line("else:")
        self.line(f"    {parts[2]} = gp.subgroup_invocation_id()")
        self.line(f"    {found} = gp.subgroup_shuffle({operand}, {parts[2]})")
        self._keep(found, kind)

    def _write_apart_loop(self) -> None:
        """A number of one's own, counted in a loop that a subgroup leaves when all of it have counted."""
        most, count = self._part(f"{self.integer('i32', 1)} & 3"), self._part("0")
        self.line(f"while gp.subgroup_any({count} < {most}):")
        self.line(f"    {count} += 1 if {count} < {most} else 0")
        self._keep(count, "i32")

    def _write_block(self) -> None:
        """What the whole workgroup computes, which depends on no subgroup."""
        form = self.choices.below(4)
        if form == 0:
            operand, kind = self._operand()
            call = self.choices.one_of(("sum", "min", "max", "inclusive_add", "exclusive_add"))
            found = self._part(f"gp.workgroup_{call}({operand})")
            self._keep(f"gp.clamp({found}, -64.0, 64.0)" if kind == "f32" else found, kind)
        elif form == 1:
            kind = self.choices.one_of(("i32", "u32"))
            operand = self._keep(self.stored(kind, 2), kind)
            self._keep(self._part(f"gp.workgroup_radix_rank({operand}, {self.choices.one_of((1, 4, 6, 8))})"), "i32")
        else:
            operand, kind = self._operand()
            order = self.choices.one_of(("", ", descending=True"))
            if form == 2 or kind == "f32":  # devices may drop the sign of a zero, and so change the places of zeros
                self._keep(self._part(f"gp.workgroup_sort({operand}{order})"), kind)
            else:
                key, value = self.fresh("b"), self.fresh("b")
                self.line(f"{key}, {value} = gp.workgroup_sort({operand}, t{order})")
                self._keep(key, kind)
                self._keep(value, "i32")
