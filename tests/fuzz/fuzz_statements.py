"""Random statements: bounded loops, exits, branches, stores to what an invocation owns, and phases with barriers."""

from __future__ import annotations

from drawing import Choices
from fuzz_comparisons import Comparisons
from fuzz_kinds import (
    FLOATS,
    GENERIC,
    INTEGERS,
    SMALL,
    UNSIGNED,
    WILD,
    WILD64,
    Readable,
    Variable,
    element_of,
    lanes_of,
)

ATOMICS = ("add", "min", "max", "and", "or", "xor", "sub")
"""Whose result after all of them does not depend on their order, where one element sees one of them (add and sub are
one)."""

MANY = 20  # iterations of a loop that compilers do not unroll
SLOTS = 4  # elements of a counter array for each operation
VECTORS = ("i32x4", "i32x3", "i32x2", "u32x4", "u32x3", "u32x2", "f32x4", "f32x3", "f32x2")


class Statements(Comparisons):
    """Writes the body of one function, indented, into `lines`."""

    def __init__(self, choices: Choices, kinds: tuple[str, ...], budget: int) -> None:
        super().__init__(choices, kinds)
        self.lines: list[str] = []
        self.indent = 1
        self.budget = budget
        self.loops = 0  # open loops of any kind
        self.nesting = 0
        self.count = 0
        self.results: tuple[str, ...] | None = None  # of a helper
        self.is_uniform = False  # whether all invocations of the workgroup are here together
        self.may_leave = True  # whether a return may depend on the invocation
        self.exits: tuple[str, ...] = ()  # of the innermost loop, those that may depend on the invocation
        self.uniform_names: list[str] = []  # i32, the same over the workgroup
        self.counters: list[tuple[str, str]] = []  # buffers that only atomics touch, and their kinds
        self.private: list[Readable] = []
        self.invocations = 1  # of a workgroup
        self.array_prefix = "w"

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def block(self, most: int) -> None:
        """Statements in a block of their own: what they declare is in scope here only."""
        self.indent += 1
        self.nesting += 1
        held = len(self.variables), len(self.weak), len(self.readable), len(self.private)
        before = len(self.lines)
        for _ in range(1 + self.choices.below(most)):
            self.statement()
        if len(self.lines) == before:
            self.line("pass")
        del self.variables[held[0] :], self.weak[held[1] :], self.readable[held[2] :], self.private[held[3] :]
        self.nesting -= 1
        self.indent -= 1

    def statement(self) -> None:
        self.budget -= 1
        forms = [(8, "declare"), (8, "assign"), (3, "pair")]
        if not self.is_homogeneous:
            forms += [(2, "component"), (1, "private"), (2, "private_store"), (1, "vector_store"), (1, "weak")]
            forms += [(8, "store"), (8, "compared")] * bool(self.own) + [(4, "atomic")] * bool(self.counters)
        if self.nesting < 4 and self.budget > 0:
            forms += [(7, "if")]
            if self.loops < 2:
                forms += [(3, "while"), (4, "range"), (2, "unroll")]
            forms += [(3, "call")] * any(len(helper.results) > 1 for helper in self.helpers)
            if self.is_uniform and self.invocations > 1:
                forms += [(5, "exchange"), (2, "reduce"), (2, "shared_atomic")]
        if self.loops:
            forms += [(2, "leave_loop")]
        if self.nesting:
            forms += [(1, "return")]
        forms += self.more_forms()
        getattr(self, f"_write_{self.choices.weighted(forms)}")()

    def more_forms(self) -> list[tuple[int, str]]:
        """Weights and names of the statements that other modules write here."""
        return []

    # ---------------------------------------------------------------- names

    def _kind(self) -> str:
        if self.is_homogeneous:
            return self.choices.weighted(((6, GENERIC), (1, "bool")))
        scalar = self.choices.one_of(self.kinds)
        return str(self.choices.weighted(((8, scalar), (2, "bool"), (2, self.choices.one_of(VECTORS)), (1, WILD))))

    def array_kinds(self) -> tuple[str, ...]:
        """Kinds of the elements of arrays that the kernel makes."""
        return (*self.kinds, "i32x4", "f32x3", "f32x2")

    def type_text(self, kind: str) -> str:
        return f"gp.{kind}"

    def _fits(self, kind: str) -> bool:
        return kind != WILD or any(array.kind == WILD for array in self.readable)

    def _write_declare(self) -> None:
        kind = self._kind()
        if not self._fits(kind):
            kind = self.kinds[0]
        text = self._wild_leaf() if kind == WILD else self.stored(kind, 3)
        name = self.fresh("v")
        if kind in INTEGERS and self.choices.chance(10):
            self.line(f"{name}: gp.{kind} = {self.literal(kind)}")
        else:
            self.line(f"{name} = {text}")
        self.variables.append(Variable(name, kind))

    def _write_weak(self) -> None:
        """A name that is a literal wherever it stands."""
        name, value = self.fresh("c"), self.choices.below(32)
        self.line(f"{name} = {value}")
        self.weak.append((name, value))

    def _assignable(self) -> list[Variable]:
        return [v for v in self.variables if v.is_assignable]

    def _write_assign(self) -> None:
        choices = self._assignable()
        if not choices:
            self._write_declare()
            return
        variable = self.choices.one_of(choices)
        self.line(self._assignment(variable.name, variable.kind))

    def _assignment(self, place: str, kind: str) -> str:
        if kind == WILD:
            return f"{place} = {self._wild_leaf()}"
        if kind == WILD64:
            return f"{place} = {self.wild64(2)}"
        if kind in SMALL:
            return f"{place} = gp.{kind}({self.integer(self.choices.one_of(('i32', 'u32')), 2)})"
        if kind in (*INTEGERS, GENERIC) and self.choices.chance(40):
            operator = self.choices.one_of(("+", "-", "*", "^", "|", "&", "//", "%", "<<", ">>"))
            if operator in ("<<", ">>"):
                return f"{place} {operator}= {self.integer(kind, 1)}"
            return f"{place} {operator}= {self._pair(kind, 2)[1]}"
        return f"{place} = {self.stored(kind, 3)}"

    def _write_compared(self) -> None:
        self.store_comparisons(self.comparable())

    def store_comparisons(self, compared: str) -> None:
        """What comparisons of values of that kind with constants give is stored."""
        place, kind = self.choices.one_of([one for one in self.own if one[1] in INTEGERS])
        for _ in range(1 + self.choices.below(4)):
            truth = self.compared(compared, self.choices.below(2))
            forms = ("gp.{0}({1})", "gp.select({1}, gp.{0}(7), gp.{0}(5))", "(gp.{0}(7) if {1} else gp.{0}(5))")
            self.line(f"{place} = {place} * 3 + {self.choices.one_of(forms).format(kind, truth)}")

    def _write_pair(self) -> None:
        """Two names at once: the right side is evaluated as a whole before."""
        choices = self._assignable()
        if len(choices) < 2:
            self._write_declare()
            return
        first, second = self.choices.one_of(choices), self.choices.one_of(choices)
        if first.kind == second.kind and self.choices.chance(60):
            self.line(f"{first.name}, {second.name} = {second.name}, {first.name}")
        elif first is not second:
            right = [self._wild_leaf() if v.kind == WILD else self.stored(v.kind, 2) for v in (first, second)]
            self.line(f"{first.name}, {second.name} = {right[0]}, {right[1]}")

    def _write_component(self) -> None:
        choices = [v for v in self._assignable() if lanes_of(v.kind) > 1]
        if not choices:
            self._write_declare()
            return
        vector = self.choices.one_of(choices)
        part = f"{vector.name}.{'xyzw'[self.choices.below(lanes_of(vector.kind))]}"
        if self.choices.chance(30):
            place = self.index(Readable("", vector.kind, (lanes_of(vector.kind),), is_buffer=False), 0)
            part = f"{vector.name}[{place}]"
        self.line(self._assignment(part, element_of(vector.kind)))

    # ---------------------------------------------------------------- memory

    def _write_store(self) -> None:
        place, kind = self.choices.one_of(self.own)
        self.line(self._assignment(place, kind))

    def _write_private(self) -> None:
        kind = self.choices.one_of(self.array_kinds())
        shape = self.choices.one_of(((4,), (3,), (2, 3), (1,)))
        array = Readable(self.fresh("p"), kind, shape, is_buffer=False)
        self.line(f"{array.name} = gp.private_array({self.type_text(kind)}, {shape if len(shape) > 1 else shape[0]})")
        self.private.append(array)
        self.readable.append(array)

    def _write_private_store(self) -> None:
        if not self.private:
            self._write_private()
        array = self.choices.one_of(self.private)
        self.line(self._assignment(self.load(array), array.kind))

    def _write_vector_store(self) -> None:
        """To neighbouring elements of a private array."""
        arrays = [array for array in self.private if f"{array.kind}x2" in VECTORS and array.lengths[-1] > 1]
        if not arrays:
            self._write_private()
            return
        array = self.choices.one_of(arrays)
        kinds = [kind for kind in VECTORS if element_of(kind) == array.kind and lanes_of(kind) <= array.lengths[-1]]
        kind = self.choices.one_of(kinds)
        starts = Readable("", array.kind, (array.lengths[-1] - lanes_of(kind) + 1,), is_buffer=False)
        row = f"[{self.index(array, 0)}]" if len(array.lengths) > 1 else ""
        self.line(f"gp.vstore({array.name}{row}, {self.index(starts, 0)}, {self.stored(kind, 2)})")

    def _write_atomic(self) -> None:
        name, kind = self.choices.one_of(self.counters)
        self._atomic(name, kind, self.choices.below(len(ATOMICS) - 1))

    def _atomic(self, name: str, kind: str, which: int) -> None:
        operation = "sub" if which == 0 and self.choices.chance(30) else ATOMICS[which]
        array = Readable(name, kind, (SLOTS,), is_buffer=False)
        self.line(f"gp.atomic_{operation}({name}, {SLOTS * which} + ({self.index(array, 0)}), {self.integer(kind, 2)})")

    # ---------------------------------------------------------------- control flow

    def uniform_truth(self) -> str:
        name = self.choices.one_of(self.uniform_names)
        return self.choices.one_of((f"{name} > 1", f"{name} % 2 == 0", f"{name} != 2", f"{name} < 0"))

    def _condition(self) -> tuple[str, bool]:
        """A condition, and whether all invocations are still together under it."""
        if self.is_uniform and self.choices.chance(50):
            return self.uniform_truth(), True
        return self.truth(2), False

    def _write_if(self) -> None:
        outer = self.is_uniform
        condition, together = self._condition()
        self.is_uniform = outer and together
        self.line(f"if {condition}:")
        self.block(3)
        while self.budget > 0 and self.choices.chance(25):
            condition, is_same = self._condition()
            together = together and is_same
            self.is_uniform = outer and together
            self.line(f"elif {condition}:")
            self.block(2)
        if self.choices.chance(50):
            self.line("else:")
            self.block(3)
        self.is_uniform = outer and not self._has_diverged

    _has_diverged = False  # an invocation may have returned

    def _loop(self, together: bool, most: int = 3) -> None:
        """The body of a loop whose head is written. All invocations stay together in it, or exits are free.

        Some of those that stay together may continue with the next iteration after the last barrier.
        """
        outer, leave, exits = self.is_uniform, self.may_leave, self.exits
        self.is_uniform, self.may_leave = together, self.may_leave and not together
        self.exits = () if together else ("break", "continue")
        self.loops += 1
        self.block(most)
        if together and self.choices.chance(70):
            self.is_uniform, self.exits = False, ("continue",)
            self.line(f"    if {self.truth(2)}:")
            self.line("        continue")
            self.block(most)
        self.loops -= 1
        self.is_uniform, self.may_leave, self.exits = outer and not self._has_diverged, leave, exits

    def _write_while(self) -> None:
        together = self.is_uniform and self.choices.chance(50)
        count = self.fresh("n")
        trips = MANY if self.is_long() else 1 + self.choices.below(3)
        self.line(f"{count} = 0")
        if self.choices.chance(30):
            self.line("while True:")
            self.line(f"    if {count} >= {trips}:")
            self.line("        break")
        else:
            condition = self.uniform_truth() if together else self.truth(2)
            self.line(f"while {count} < {trips} and {condition}:")
        self.line(f"    {count} += 1")
        self._loop(together)

    def _write_range(self) -> None:
        together = self.is_uniform and self.choices.chance(60)
        name = self.fresh("r")
        kind, bounds = self._uniform_bounds() if together else self._bounds()
        self.line(f"for {name} in range({bounds}):")
        self.variables.append(Variable(name, kind, is_assignable=not together and self.choices.chance(20)))
        if together and kind == "i32":
            self.uniform_names.append(name)
        self._loop(together)
        if together and kind == "i32":
            self.uniform_names.pop()
        self.variables.remove(next(v for v in self.variables if v.name == name))

    def _uniform_bounds(self) -> tuple[str, str]:
        if self.is_long():
            return "i32", str(MANY)
        name = self.choices.one_of(self.uniform_names)
        return "i32", self.choices.one_of(("2", f"{name} & 3", f"{name}, {name} + 3, 2", f"3, -({name} & 1), -2"))

    def is_long(self) -> bool:
        """Whether a loop has so many iterations that compilers do not unroll it."""
        return self.choices.chance(15)

    def _bounds(self) -> tuple[str, str]:
        """Few passes, whatever the values are, near the edges of the type too."""
        kind = "i32" if self.is_homogeneous else self.choices.one_of([k for k in self.kinds if k in INTEGERS])
        value = "1" if self.is_homogeneous else self.integer(kind, 1)
        bits = INTEGERS[kind]
        low = 0 if kind in UNSIGNED else -(1 << (bits - 1))
        high = (1 << bits) - 1 + low
        start = f"gp.{kind}(0)" if kind != "i32" else "0"
        last = f"gp.{kind}({high})" if kind != "i32" else str(high)
        least = f"gp.{kind}({low})" if kind != "i32" else str(low)
        forms = [
            f"{start}, 3", f"{start}, {value} & 3", f"{start}, 7, 3", f"{start}, {value} % 5, 2",
            f"gp.clamp({value}, 2, 9), {start}, -4", f"{high - 5}, {last}, 4", f"{last}, {high - 9}, -5",
            f"{least}, {low + 7}, 5", f"{value}, {value}", f"gp.min({value}, 9), 10, {high // 3}",
        ]  # fmt: skip
        if kind == "i32":
            forms += [f"{value} & 3", "3", str(MANY)]
        text = self.choices.one_of(forms)
        return kind, text

    def _write_unroll(self) -> None:
        name = self.fresh("u")
        together = self.is_uniform and self.choices.chance(60)
        names = [v for v in self.variables if v.kind in (*INTEGERS, GENERIC)]
        if len(names) > 1 and self.choices.chance(25):
            first = self.choices.one_of(names)
            items = [v.name for v in names if v.kind == first.kind]
            self.line(f"for {name} in gp.unroll(({items[0]}, {items[-1]})):")
            item = Variable(name, first.kind, is_assignable=False)
            self.variables.append(item)
            self._loop(together, 2)
            self.variables.remove(item)
            return
        items_text = self.choices.one_of(("range(2)", "range(1, 6, 2)", "(3, 0, 5)", "range(3, 0, -1)"))
        self.line(f"for {name} in gp.unroll({items_text}):")
        self.weak.append((name, 5))
        self._loop(together, 2)
        self.weak.remove((name, 5))

    def _write_leave_loop(self) -> None:
        exits = ("break", "continue") if self.is_uniform else self.exits
        if exits:
            self._exit(self.choices.one_of(exits), bool(self.exits))

    def _write_return(self) -> None:
        if self.results is not None:
            self._exit(f"return {', '.join(self.stored(kind, 2) for kind in self.results)}", self.may_leave)
        elif self.may_leave or self.is_uniform:
            self._exit("return", self.may_leave)

    def _exit(self, text: str, is_free: bool) -> None:
        """An exit, which may depend on the invocation if it is free; nothing where that is not allowed."""
        if self.is_uniform and not is_free:
            self.line(f"if {self.uniform_truth()}:")
            self.line(f"    {text}")
            return
        if not is_free:  # in a branch of a loop that all invocations go through together
            return
        if self.choices.chance(75):
            self.line(f"if {self.truth(2)}:")
            self.line(f"    {text}")
        else:
            self.line(text)
        if text == "return":
            self._has_diverged, self.is_uniform = True, False

    def _write_call(self) -> None:
        """A helper with several results."""
        helper = self.choices.one_of([one for one in self.helpers if len(one.results) > 1])
        names = [self.fresh("v") for _ in helper.results]
        self.line(f"{', '.join(names)} = {self.call(helper, 'i32', 1)}")
        kinds = ["i32" if kind == GENERIC else kind for kind in helper.results]
        self.variables += [Variable(name, kind) for name, kind in zip(names, kinds, strict=True)]

    # ---------------------------------------------------------------- phases of a workgroup

    def _some(self, most: int) -> None:
        """Statements in the open, of which none leaves."""
        leave, outer, loops, exits = self.may_leave, self.is_uniform, self.loops, self.exits
        self.may_leave, self.is_uniform, self.exits = False, False, ()
        for _ in range(1 + self.choices.below(most)):
            getattr(self, f"_write_{self.choices.one_of(('declare', 'assign', 'declare', 'if'))}")()
        self.may_leave, self.is_uniform, self.loops, self.exits = leave, outer, loops, exits

    def _write_exchange(self) -> None:
        """Each invocation writes a slot; after a barrier it reads those of others."""
        kind = self.choices.one_of(self.array_kinds())
        name, row = self.fresh("w"), self.choices.chance(25)
        shape = f"(2, {self.invocations})" if row else str(self.invocations)
        self.line(f"{name} = gp.workgroup_array({self.type_text(kind)}, {shape})")
        self.line(f"{name}[{'0, ' if row else ''}t] = {self.stored(kind, 2)}")
        if row:
            self.line(f"{name}[1, t] = {self.stored(kind, 1)}")
        self._shared(Readable(name, kind, (2, self.invocations) if row else (self.invocations,), is_buffer=False))

    def _shared(self, array: Readable) -> None:
        barrier = self.choices.weighted(((3, "gp.barrier()"), (1, "gp.barrier(buffers=False)")))
        self.line(barrier)
        self.readable.append(array)
        name = self.fresh("v")
        self.line(f"{name} = {self.load(array)}")
        self.variables.append(Variable(name, array.kind))
        self._some(2)
        self.readable.remove(array)
        self.line(barrier)

    def _write_reduce(self) -> None:
        """A tree over the workgroup."""
        kind = self.choices.one_of([k for k in self.kinds if k in INTEGERS])
        name, step = self.fresh("w"), self.fresh("s")
        operator = self.choices.one_of("+^*|")
        self.line(f"{name} = gp.workgroup_array(gp.{kind}, {self.invocations})")
        self.line(f"{name}[t] = {self.integer(kind, 2)}")
        self.line("gp.barrier()")
        self.line(f"{step} = {self.invocations // 2}")
        self.line(f"while {step} > 0:")
        self.line(f"    if t < {step}:")
        self.line(f"        {name}[t] {operator}= {name}[t + {step}]")
        self.line("    gp.barrier()")
        self.line(f"    {step} //= 2")
        self._shared(Readable(name, kind, (self.invocations,), is_buffer=False))

    def _write_shared_atomic(self) -> None:
        """Counters of the workgroup: set by some, changed by all, read by all."""
        kind, which = self.choices.one_of([of for _, of in self.counters]), self.choices.below(len(ATOMICS) - 1)
        name = self.fresh("w")
        length = SLOTS * (which + 1)
        self.line(f"{name} = gp.workgroup_array(gp.{kind}, {length})")
        j = self.fresh("r")
        self.line(f"for {j} in range(t, {length}, {self.invocations}):")
        self.line(f"    {name}[{j}] = {self.integer(kind, 1)}")
        self.line("gp.barrier()")
        if self.choices.chance(60):
            self.line(f"if {self.truth(1)}:")
            self.indent += 1
            self._atomic(name, kind, which)
            self.indent -= 1
        self._atomic(name, kind, which)
        self._shared(Readable(name, kind, (length,), is_buffer=False))


__all__ = ["ATOMICS", "FLOATS", "SLOTS", "Statements"]
