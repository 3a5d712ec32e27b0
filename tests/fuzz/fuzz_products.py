"""Statements of random kernels about tiles and matrices, each legal where it is written."""

from __future__ import annotations

import numpy as np
from fuzz_tiles import CARRIERS, HELD, LEAST, SUMS, Tiles, layouts_of
from fuzz_writing import FLOATS, MANY, MEMORY, Matrix, Writing

PLACES = (0, 0, 1, 3, -2, -7, 6)


class Products(Writing):
    """The statements."""

    # ---------------------------------------------------------------- copies

    def copy(self, tiles: Tiles, number: int) -> None:
        """A copy from anywhere, inside or outside of an array."""
        source = self.choices.weighted(((4, "a"), (2, "b"), (1, "q")))
        shape = self.shapes[source]
        name = f"{source}_{tiles.kind}"
        if source == "q":
            is_whole = shape[0] == 2
            name, shape = (f"{name}[1]", shape[1:]) if is_whole else (f"{name}[:, :, 1]", shape[:2])
        row, column = (self._start(shape[axis], tiles.shape[axis], "rc"[axis]) for axis in (0, 1))
        if self.choices.chance(8):
            row, column = "r", "c"
        is_fetch = self.choices.chance(20)
        function = "fetch" if is_fetch else "gp.copy_tile"
        self.line(f"{function}({tiles.name}[{self.index(number, tiles.count)}], {name}, {row}, {column})")
        self.copies.begin(tiles, number)
        if is_fetch:
            self.copies.end_group()

    def _start(self, length: int, of_tile: int, scalar: str) -> str:
        inside = max(0, length - of_tile)
        return str(self.choices.one_of((
            0, 0, inside, f"g * {of_tile}", 8 * self.choices.below(4), 1 + self.choices.below(length), scalar, "n",
            -self.choices.below(of_tile + 2), length - 1, length + 3,
        )))  # fmt: skip

    def write_copies(self) -> None:
        for _ in range(1 + self.choices.below(3)):
            free = [(one, number) for one in self.copies.tiles for number in one.numbers(to_read=False)]
            if not free:
                break
            self.copy(*self.choices.one_of(free))
        if self.choices.chance(75):
            self.line("gp.copy_group()")
            self.copies.end_group()

    def write_wait(self) -> None:
        pending = self.choices.one_of((0, 1, 2, 3))
        self.wait(pending)

    def wait(self, pending: int) -> None:
        self.line("gp.copy_wait()" if pending == 0 and self.choices.chance(50) else f"gp.copy_wait({pending})")
        self.copies.wait(pending)

    # ---------------------------------------------------------------- tiles

    def readable(self) -> list[tuple[Tiles, int]]:
        return [(one, number) for one in self.copies.tiles for number in one.numbers(to_read=True)]

    def write_element(self) -> None:
        if found := self.readable():
            self.read_element(*self.choices.one_of(found))

    def read_element(self, tiles: Tiles, number: int) -> None:
        """An element of a tile, added to the invocation's own output."""
        (rows, columns), kind = tiles.shape, CARRIERS[tiles.kind]
        at = f"(t * {1 + self.choices.below(5)} + n) % {rows}, (t + {self.choices.below(9)}) % {columns}"
        element, own = f"gp.{kind}({tiles.name}[{self.index(number, tiles.count)}, {at}])", f"e_{kind}[i]"
        factor = 2 + self.choices.below(2)
        text = f"{own} * {factor} + {element}"
        self.line(f"{own} = gp.clamp({text}, -64.0, 64.0)" if kind in FLOATS else f"{own} = {text}")
        tiles.read.add(number)

    def write_tile_load(self) -> None:
        """A matrix of a part of a tile, or of its transpose."""
        found = [(tiles, number) for tiles, number in self.readable() if tiles.kind in HELD]
        if not found:
            return
        tiles, number = self.choices.one_of(found)
        text, shape = f"{tiles.name}[{self.index(number, tiles.count)}]", tiles.shape
        if self.choices.chance(35):
            text, shape = f"{text}.T", shape[::-1]
        shapes = [shape, self.lengths[:2], *(matrix.shape for matrix in self.matrices)]
        shapes = [one for one in shapes if self.is_legal(tiles.kind, one)]
        if shapes:
            shape = self.choices.one_of(shapes)
            row, column = self.choices.one_of(PLACES), self.choices.one_of(PLACES)
            tiles.read.add(number)
            self.keep(f"gp.load_matrix({text}, {row}, {column}, {shape})", tiles.kind, shape, tiles.bound)

    def write_tile_store(self) -> None:
        """A matrix to a tile: to all of one that is not yet written."""
        matrix = self.choices.one_of(self.matrices)
        places = [(tiles, number, 0, 0) for tiles in self.copies.tiles for number in tiles.numbers(to_read=False)
                  if number in tiles.defined or all(np.greater_equal(matrix.shape, tiles.shape))]  # fmt: skip
        if not places:
            return
        tiles, number, row, column = self.choices.one_of(places)
        name = f"{tiles.name}[{self.index(number, tiles.count)}]"
        if number in tiles.defined:
            row, column = self.choices.one_of(PLACES), self.choices.one_of(PLACES)
            name += ".T" if self.choices.chance(50) else ""
        text = matrix.name
        if matrix.kind in FLOATS:
            text = f"gp.map(little, {text})"
        elif tiles.kind in FLOATS:
            text, tiles.bound = f"gp.map(cut, {text})", 7
        self.line(f"gp.store_matrix({text}, {name}, {row}, {column})")
        tiles.defined.add(number)
        tiles.written.add(number)
        if self.choices.chance(50):
            self.write_barrier()

    def write_tile_elements(self) -> None:
        """Each element of a tile, by the invocations in turn."""
        free = [(one, number) for one in self.copies.tiles for number in one.numbers(to_read=False)]
        if not free:
            return
        tiles, number = self.choices.one_of(free)
        (rows, columns), place = tiles.shape, self.fresh("l")
        self.line(f"for {place} in range(t, {rows * columns}, {self.size}):")
        at = f"{self.index(number, tiles.count)}, {place} // {columns}, {place} % {columns}"
        self.line(f"    {tiles.name}[{at}] = gp.{tiles.kind}({place} * {1 + self.choices.below(4)} % 5)")
        tiles.defined.add(number)
        tiles.written.add(number)
        if self.choices.chance(50):
            self.write_barrier()

    # ---------------------------------------------------------------- products

    def write_add_product(self) -> None:
        pairs = self._pairs()
        if not pairs and not self.is_nested:
            self._prepare()
            pairs = self._pairs()
        if not pairs:
            return
        (left, x, of_left), (right, y, of_right), shape = self.choices.one_of(pairs)
        kind, inner = SUMS[left.kind], left.shape[0 if of_left else 1]
        found = [one for one in self.matrices if (one.kind, one.shape) == (kind, shape)]
        if not found:
            if self.is_nested or len(self.matrices) >= MANY + 1:
                return
            found = [Matrix(self.fresh("c"), kind, shape, 1)]
            self.line(f"{found[0].name} = gp.matrix(gp.{kind}, {shape}, 1)")
            self.matrices += found
        total = self.choices.one_of(found)
        self.trim(total, always=total.bound > 64 or total.fraction > 0)
        texts = [f"{tiles.name}[{self.index(number, tiles.count)}]{'.T' if is_turned else ''}"
                 for tiles, number, is_turned in ((left, x, of_left), (right, y, of_right))]  # fmt: skip
        self.add_to(total.name, *texts, left.kind)
        total.bound += inner * left.bound * right.bound
        left.read.add(x)
        right.read.add(y)

    def add_to(self, total: str, x: str, y: str, kind: str) -> None:
        form = self.choices.weighted(((5, 0), (2, 1), (2, 2), (2, 3), (1, 4)))
        if form == 1:
            self.line(f"{total} = gp.multiply_add({x}, {y}, {total})")
        elif form == 2:
            self.line(f"{total} = product({x}, {y}, {total})")
        elif form == 3:
            name = self.fresh("x")
            self.line(f"{name} = {x}")
            self.line(f"{total} += {name} @ {y}")
        elif form == 4:
            self.line(f"if gp.target.matrix(gp.{kind}) is None:")
            self.line(f"    {total} = gp.multiply_add({x}, {y}, {total})")
            self.line("else:")
            self.line(f"    {total} += {x} @ {y}")
        else:
            self.line(f"{total} += {x} @ {y}")

    def _pairs(self) -> list[tuple[tuple[Tiles, int, bool], tuple[Tiles, int, bool], tuple[int, int]]]:
        """Tiles that may be multiplied now, each as it is or transposed, and the shape of the product."""
        ready = [(tiles, number, turned) for tiles, number in self.readable() for turned in (False, True)
                 if tiles.kind in SUMS]  # fmt: skip
        found = []
        for x in ready:
            for y in ready:
                rows, inner = x[0].shape[::-1] if x[2] else x[0].shape
                length, columns = y[0].shape[::-1] if y[2] else y[0].shape
                if x[0].kind == y[0].kind and inner == length and self.is_legal(SUMS[x[0].kind], (rows, columns)):
                    found.append((x, y, (rows, columns)))
        return found

    def _prepare(self) -> None:
        """The tiles of the first product are copied."""
        for tiles in self.copies.tiles[:2]:
            if not tiles.numbers(to_read=True) and (free := tiles.numbers(to_read=False)):
                self.copy(tiles, self.choices.one_of(free))
        self.line("gp.copy_group()")
        self.copies.end_group()
        self.wait(0)

    # ---------------------------------------------------------------- matrices

    def write_make(self) -> None:
        kind = self.choices.one_of(self.held)
        shape = self.choices.one_of([self.lengths[:2], self.lengths[:2][::-1]])
        if not self.is_legal(kind, shape):
            shape = self.lengths[:2]
        value = self.choices.one_of(("", ", 1", f", gp.{kind}(n)", f", value={3.0 if kind in FLOATS else 3}"))
        self.keep(f"gp.matrix(gp.{kind}, {shape}{value})", kind, shape, LEAST)

    def write_load(self) -> None:
        """A matrix of a part of an array, of which some may be outside."""
        kind, shape = self.choices.one_of(self.held), self.lengths[:2]
        if self.choices.chance(70) and f"p_{kind}" in self.part_bounds:
            self._order(f"p_{kind}", "read")
            place = f"g * {self.stride} + {self.shift}, {self.choices.one_of(PLACES)}"
            self.keep(f"gp.load_matrix(p_{kind}, {place}, {shape})", kind, shape, *self.part_bounds[f"p_{kind}"])
            return
        source = self.choices.one_of("ab")
        row, column = (self._start(self.shapes[source][axis], shape[axis], "rc"[axis]) for axis in (0, 1))
        self.keep(f"gp.load_matrix({source}_{kind}, {row}, {column}, {shape})", kind, shape, LEAST)

    def _order(self, name: str, access: str) -> None:
        """A barrier, if an access to an output follows one that it must be ordered with."""
        before = self.parts.get(name)
        if before is not None and "write" in (before, access):
            self.line("gp.barrier()")
            self.copies.barrier()
            self.parts.clear()
        self.parts[name] = access

    def write_part(self) -> None:
        """A matrix to an output, converted, at a place where some of it may be outside."""
        matrix = self.choices.one_of(self.matrices)
        kinds = [kind for kind in CARRIERS if kind in self.capable]
        kind = matrix.kind if self.choices.chance(60) else self.choices.one_of(kinds)
        name = f"p_{kind}"
        self._order(name, "write")
        place = f"g * {self.stride} + {self.shift}, {self.choices.one_of((*PLACES, 40, 'c'))}"
        self.line(f"gp.store_matrix({matrix.name}, {name}, {place})")
        bound, fraction = self.part_bounds.get(name, (LEAST, 0))
        stored = matrix.bound if matrix.kind == kind and kind in FLOATS else float("inf")
        self.part_bounds[name] = max(bound, stored), max(fraction, matrix.fraction)

    def write_change(self) -> None:
        """A matrix combined with numbers and other matrices, element by element."""
        one = self.choices.one_of(self.matrices)
        others = [matrix for matrix in self.matrices if (matrix.kind, matrix.shape) == (one.kind, one.shape)]
        other = self.choices.one_of(others)
        form = self.choices.weighted(((4, "arithmetic"), (3, "numbers"), (3, "map"), (2, "map_other"), (2, "rows"),
                                      (1, "convert"), (1, "helper")))  # fmt: skip
        getattr(self, f"_change_by_{form}")(one, other)
        self.trim(one)

    def _change_by_arithmetic(self, one: Matrix, other: Matrix) -> None:
        self.tighten(one, other)
        operator = self.choices.one_of("+-*")
        self.line(f"{one.name} = {one.name} {operator} {other.name}")
        one.bound = one.bound * other.bound if operator == "*" else one.bound + other.bound

    def _change_by_numbers(self, one: Matrix, other: Matrix) -> None:
        self.tighten(one)
        name, is_float = one.name, one.kind in FLOATS
        number = self.choices.one_of(("1.0", "-2.0", "3.0", f"gp.{one.kind}(n)") if is_float else
                                     ("1", "3", "7", f"gp.{one.kind}(n)"))  # fmt: skip
        forms = [f"{name} + {number}", f"{number} - {name}", f"{number} * {name}", f"{name} * {number}", f"-{name}",
                 f"2 * {name} - {number}"]  # fmt: skip
        form = self.choices.one_of((*forms, f"0.5 * {name}") if is_float else forms)
        self.line(f"{name} = {form}")
        one.bound, one.fraction = 4 * one.bound + 3, int(form.startswith("0.5"))

    def _change_by_map(self, one: Matrix, other: Matrix) -> None:
        self.tighten(one)
        indices = self.choices.chance(60)
        helper = "weighed" if indices else ("little" if one.kind in FLOATS else "cut")
        self.line(f"{one.name} = gp.map({helper}, {one.name}{', indices=True' if indices else ''})")
        one.bound += 320

    def _change_by_map_other(self, one: Matrix, other: Matrix) -> None:
        self.tighten(one, other)
        helper = self.choices.one_of(("greater", "less", "chosen"))
        with_ = self.choices.one_of((other.name, other.name, f"gp.{one.kind}(2)", "2.0" if one.kind in FLOATS else "2"))
        indices = ", indices=True" if helper == "chosen" else ""
        self.line(f"{one.name} = gp.map({helper}, {one.name}, {with_}{indices})")
        one.bound += max(other.bound, 2)

    def _change_by_rows(self, one: Matrix, other: Matrix) -> None:
        """What each row gives is kept, and taken from its elements."""
        across = max(layout.across for layout in layouts_of(one.kind, one.shape, self.size))
        needed = one.shape[0] * (across + 1) * 8
        if self.nbytes + needed > MEMORY:
            return
        self.nbytes += needed
        self.tighten(one)
        if one.kind == "f16":
            operation = "gp.max"
        else:
            operation = self.choices.one_of(("gp.max", "gp.min", "total_of"))
        found = self.fresh("f")
        self.line(f"{found} = gp.reduce_rows({operation}, {one.name})")
        bound = one.bound * (one.shape[1] if operation == "total_of" else 1)
        if self.choices.chance(60):
            row = self.fresh("l")
            self.line(f"for {row} in range(t, {one.shape[0]}, {self.size}):")
            self.line(f"    w_{one.kind}[g * {self.stride} + {row}] = {found}[{row}]")
        if self.choices.chance(60):
            self.line(f"{one.name} = gp.map(less, {one.name}, {found})")
            one.bound += bound

    def _change_by_convert(self, one: Matrix, other: Matrix) -> None:
        """Through another kind and back."""
        if one.kind == "f32":
            self.tighten(one)
            self.line(f"{one.name} = gp.map(gp.f32, gp.map(gp.i32, {one.name}))")
        elif one.kind == "i32":
            self.line(f"{one.name} = gp.map(gp.i32, gp.map(gp.f32, gp.map(cut, {one.name})))")

    def _change_by_helper(self, one: Matrix, other: Matrix) -> None:
        self.tighten(one, other)
        self.line(f"{one.name} = combined({one.name}, {other.name})")
        one.bound += other.bound + 1
