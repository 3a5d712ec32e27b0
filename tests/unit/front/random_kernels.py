"""Random kernels as source text: loops, unrolled loops, branches, exits and helpers over i32.

Loops end by their bounds or a budget. What a kernel computes is folded into `acc` wherever control goes, so a wrong
turn shows. a, b and c are assigned at the start; other names somewhere, and now and then read where only some paths
assign them. d and e are assigned literals in some places and numbers of run time in others.
"""

from __future__ import annotations

import random

NAMES = ("a", "b", "c")


class Writer:
    """Writes one module: a kernel `k(x, y)` and the helpers that it calls."""

    def __init__(self, seed: int, strays: float = 0.0) -> None:
        self.strays = strays  # how often a name is read outside of the list of statements that assigns it
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.budget = 40
        self.loops: list[str] = []  # kinds of the open loops of the function at hand
        self.is_helper = False
        self.locals = 0
        self.known: list[str] = []  # compile-time loop variables in scope
        self.assigned: list[str] = []  # names that the function has assigned somewhere above

    def module(self) -> str:
        self.lines = ["from __future__ import annotations", "import gpucore as gp", ""]
        for number in range(2):
            self.function(f"def helper{number}(x, i, p, q):", number)
        self.lines.append("@gp.kernel(workgroup_size=4)")
        self.function("def k(x: gp.In[gp.i32], y: gp.InOut[gp.i32]):", None)
        return "\n".join(self.lines) + "\n"

    def function(self, head: str, number: int | None) -> None:
        self.is_helper = number is not None
        self.helpers = list(range(2 if number is None else number))
        self.budget = 40 if number is None else 14
        self.assigned = []
        self.line(0, head)
        if number is None:
            self.line(1, "i = gp.global_id(0)")
            self.line(1, "p, q = x[i], x[7 - i]")
        self.line(1, "a, b, c, acc, fuel = gp.i32(1), gp.i32(2), i, gp.i32(0), 30")
        self.block(1, 0)
        self.line(1, "acc = acc * 31 + a + b * 3 + c * 7")
        if self.is_helper:
            self.line(1, "return acc, a" if number else "return acc")
        else:
            self.line(1, "y[i] += acc")
        self.lines.append("")

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def block(self, depth: int, nesting: int) -> None:
        for _ in range(self.random.randint(1, 4)):
            self.statement(depth, nesting)

    def statement(self, depth: int, nesting: int) -> None:
        self.budget -= 1
        choices = ["assign", "assign", "augment", "swap", "element", "scoped", "literal"]
        if nesting < 4 and self.budget > 0:
            choices += ["if", "if", "unroll", "range", "while", "forever"]
            if self.helpers:
                choices += ["call", "call"]
        if self.loops:
            choices += ["break", "continue"]
        if nesting:
            choices.append("return")
        getattr(self, "write_" + self.random.choice(choices))(depth, nesting)

    # ---------------------------------------------------------------- expressions

    def atom(self) -> str:
        if self.assigned and self.random.random() < self.strays:
            return self.random.choice(self.assigned)
        options = [*NAMES, "i", "p", "q", str(self.random.randint(-4, 9)), "x[(i + a) % 8]", *self.known]
        return self.random.choice(options)

    def number(self) -> str:
        kind = self.random.randint(0, 7)
        if kind == 0:
            return f"({self.atom()} if {self.condition()} else {self.atom()})"
        if kind == 1:
            return f"(x[{self.index()}] if {self.condition()} else {self.atom()})"
        if kind < 5:
            return f"({self.atom()} {self.random.choice('+-*^&|')} {self.atom()})"
        return self.atom()

    def index(self) -> str:
        return f"({self.atom()}) % 8"

    def condition(self) -> str:
        kind = self.random.randint(0, 5)
        left, right = self.atom(), self.atom()
        compare = self.random.choice(["<", "<=", "==", "!=", ">"])
        if kind == 0:
            return f"0 <= {left} < 8 and x[{left}] {compare} {right}"
        if kind == 1:
            return f"not ({left} {compare} {right} or x[{self.index()}] > 2)"
        if kind == 2:
            return f"{left} < {right} {compare} {self.atom()}"
        return f"{left} % {self.random.randint(2, 4)} {compare} {self.random.randint(0, 2)}"

    # ---------------------------------------------------------------- statements

    def write_assign(self, depth: int, nesting: int) -> None:
        self.line(depth, f"{self.random.choice(NAMES)} = gp.i32({self.number()})")

    def write_augment(self, depth: int, nesting: int) -> None:
        self.line(depth, f"{self.random.choice([*NAMES, 'acc'])} {self.random.choice('+-^')}= {self.number()}")

    def write_swap(self, depth: int, nesting: int) -> None:
        first, second = self.random.sample(NAMES, 2)
        self.line(depth, f"{first}, {second} = {second}, gp.i32({self.number()})")

    def write_element(self, depth: int, nesting: int) -> None:
        if not self.is_helper:
            self.line(depth, f"y[i] {self.random.choice('+^')}= {self.number()}")
        else:
            self.write_assign(depth, nesting)

    def write_scoped(self, depth: int, nesting: int) -> None:
        self.locals += 1
        name = f"t{self.locals}"
        self.line(depth, f"{name} = {self.number()}")
        self.line(depth, f"acc = acc * 5 + {name}")
        self.assigned.append(name)

    def write_literal(self, depth: int, nesting: int) -> None:
        """A name that is a literal here, and then a number of run time, or stays one."""
        name = self.random.choice("de")
        self.line(depth, f"{name} = {self.random.randint(-4, 9)}")
        self.line(depth, f"acc = acc * 5 + {name}")
        if self.random.random() < 0.6:
            self.line(depth, f"{name} {self.random.choice(['', '', '+'])}= gp.i32({self.number()})")
        self.assigned.append(name)

    def write_if(self, depth: int, nesting: int) -> None:
        self.line(depth, f"if {self.condition()}:")
        self.block(depth + 1, nesting + 1)
        if self.random.random() < 0.5:
            self.line(depth, "else:")
            self.block(depth + 1, nesting + 1)

    def write_unroll(self, depth: int, nesting: int) -> None:
        name = f"u{nesting}" if self.random.random() < 0.7 else self.random.choice([*NAMES, "d"])
        self.line(depth, f"for {name} in gp.unroll(range({self.random.randint(1, 3)})):")
        self.loop(depth, nesting, "unroll", name if name.startswith("u") else None)

    def write_range(self, depth: int, nesting: int) -> None:
        name = f"r{nesting}" if self.random.random() < 0.6 else self.random.choice(NAMES)
        bounds = self.random.choice(["3", "i", "1, 4", "5, 0, -2", "a % 4", "0, 7, 3"])
        self.line(depth, f"for {name} in range({bounds}):")
        self.loop(depth, nesting, "range", None)

    def write_while(self, depth: int, nesting: int) -> None:
        self.line(depth, f"while fuel > 0 and {self.condition()}:")
        self.line(depth + 1, "fuel -= 1")
        self.loop(depth, nesting, "while", None)

    def write_forever(self, depth: int, nesting: int) -> None:
        self.line(depth, "while True:")
        self.line(depth + 1, "fuel -= 1")
        self.line(depth + 1, "if fuel < 0:")
        self.line(depth + 2, "break")
        self.loop(depth, nesting, "while", None)

    def loop(self, depth: int, nesting: int, kind: str, known: str | None) -> None:
        self.loops.append(kind)
        if known:
            self.known.append(known)
            self.assigned.append(known)
        self.block(depth + 1, nesting + 1)
        self.line(depth + 1, "acc += 1")
        if known:
            self.known.remove(known)
        self.loops.pop()

    def write_call(self, depth: int, nesting: int) -> None:
        which = self.random.choice(self.helpers)
        given = f"(x, i, {self.number()}, {self.random.choice(['q=' + self.atom(), self.atom()])})"
        self.line(depth, f"acc, a = helper1{given}" if which else f"b += helper0{given}")

    def write_break(self, depth: int, nesting: int) -> None:
        self.exit(depth, "break")

    def write_continue(self, depth: int, nesting: int) -> None:
        self.exit(depth, "continue")

    def write_return(self, depth: int, nesting: int) -> None:
        if not self.is_helper:
            self.exit(depth, "y[i] += acc; return")
        else:
            self.exit(depth, "return acc, b" if len(self.helpers) else "return acc - b")

    def exit(self, depth: int, text: str) -> None:
        if self.random.random() < 0.8:
            self.line(depth, f"if {self.condition()}:")
            self.line(depth + 1, text)
        else:
            self.line(depth, text)
