"""Loops of products in random kernels, with copies of later steps under way."""

from __future__ import annotations

from dataclasses import dataclass

from fuzz_products import Products
from fuzz_tiles import CARRIERS, LEAST, SUMS, Tiles
from fuzz_writing import FLOATS, MANY, Matrix


class Pipelines(Products):
    """Writes such loops, too."""

    def write_pipeline(self) -> None:
        """Products in a loop, with copies of later steps under way.

        `ahead` steps are copied before the loop. Tiles are written again only behind a barrier after their last read.
        """
        choices, (rows, columns, inner) = self.choices, self.lengths
        ahead, fetches_first = 1 + choices.below(3), choices.chance(25)
        spare = 1 + choices.below(2) if fetches_first else choices.below(2)
        kind, shape = SUMS[self.kind], (rows, columns)
        totals = [one for one in self.matrices if (one.kind, one.shape) == (kind, shape)]
        if not totals and len(self.matrices) < MANY + 1:
            totals = [Matrix(self.fresh("c"), kind, shape, 0)]
            self.line(f"{totals[0].name} = gp.matrix(gp.{kind}, {shape})")
            self.matrices += totals
        lengths = [(rows, inner), (inner, columns)]
        turned = [choices.chance(30), choices.chance(30)]
        tiles = [self.make_tiles(self.kind, one[::-1] if is_turned else one, ahead + spare)
                 for one, is_turned in zip(lengths, turned, strict=True)]  # fmt: skip
        left, right = tiles
        if not totals or left is None or right is None:
            return
        total = choices.one_of(totals)
        self.trim(total, always=total.bound > 64 or total.fraction > 0)
        steps, most = self._steps(inner)
        total.bound += most * (inner * LEAST * LEAST + 320)
        Pipeline(self, total.name, (left, right), (turned[0], turned[1]), ahead, fetches_first, steps).write()
        self.trim(total)

    def _steps(self, inner: int) -> tuple[str, int]:
        """How many steps a loop has, as text, and at most."""
        wide = self.shapes["a"][1]
        known = 1 + self.choices.below(4)
        return self.choices.one_of((
            (f"(a_{self.kind}.shape[1] + {inner - 1}) // {inner}", -(-wide // inner)), ("n", self.scalars["n"]),
            (str(known), known),
        ))  # fmt: skip


@dataclass
class Pipeline:
    """A loop of products with stages."""

    kernel: Products
    total: str
    tiles: tuple[Tiles, Tiles]
    turned: tuple[bool, bool]
    ahead: int
    fetches_first: bool  # before the wait of a step
    steps: str

    def write(self) -> None:
        kernel, choices, count = self.kernel, self.kernel.choices, self.tiles[0].count
        self.are_apart = choices.chance(30)  # a group for each tile
        self.step = kernel.fresh("s")
        first = self._start_rows()
        known = self.steps.isdecimal() and choices.chance(50)
        kernel.line(
            f"for {self.step} in {f'gp.unroll(range({self.ahead}))' if choices.chance(60) else f'range({self.ahead})'}:"
        )
        kernel.indent += 1
        self._fetch(self.step, first, is_guarded=False)
        kernel.indent -= 1
        is_while = choices.chance(20) and not known
        if is_while:
            kernel.line(f"{self.step}_ = 0")
            self.step += "_"
            kernel.line(f"while {self.step} < {self.steps}:")
        else:
            all_steps = f"gp.unroll(range({self.steps}))" if known else f"range({self.steps})"
            kernel.line(f"for {self.step} in {all_steps}:")
        kernel.indent += 1
        self._body(first, count)
        if is_while:
            kernel.line(f"{self.step} += 1")
        kernel.indent -= 1
        if choices.chance(60):
            kernel.wait(0)
        # Which of these tiles hold what depends on the number of steps.
        kernel.copies.tiles = [one for one in kernel.copies.tiles if one not in self.tiles]

    def _start_rows(self) -> tuple[str, str]:
        """The row of the left tiles and the column of the right ones."""
        rows, columns, _ = self.kernel.lengths
        return (self.kernel.choices.one_of((f"g * {rows}", "0", "3", "-2", "n")),
                self.kernel.choices.one_of((f"g * {columns}", "0", "1", "8", "-1")))  # fmt: skip

    def _fetch(self, step: str, first: tuple[str, str], *, is_guarded: bool) -> None:
        """The copies of a step, and the end of their groups."""
        kernel, count, inner = self.kernel, self.tiles[0].count, self.kernel.lengths[2]
        if is_guarded:  # the group ends without copies in the last steps
            kernel.line(f"if {step} < {self.steps}:")
            kernel.indent += 1
        places = ((first[0], f"({step}) * {inner}"), (f"({step}) * {inner}", first[1]))
        for at, (tiles, place) in enumerate(zip(self.tiles, places, strict=True)):
            row, column = place[::-1] if self.turned[at] else place
            kernel.line(f"gp.copy_tile({tiles.name}[({step}) % {count}], {'ab'[at]}_{tiles.kind}, {row}, {column})")
            if self.are_apart and at == 0 and not is_guarded:
                kernel.line("gp.copy_group()")
        if is_guarded:
            kernel.indent -= 1
            if self.are_apart:
                kernel.line("gp.copy_group()")
        kernel.line("gp.copy_group()")

    def _body(self, first: tuple[str, str], count: int) -> None:
        """A step: its wait, its product and the copies of a later step, in one of the orders that are right."""
        kernel, choices = self.kernel, self.kernel.choices
        later, groups = f"{self.step} + {self.ahead}", 2 if self.are_apart else 1
        is_guarded = choices.chance(25)
        names = [f"{tiles.name}[{self.step} % {count}]{'.T' if is_turned else ''}"
                 for tiles, is_turned in zip(self.tiles, self.turned, strict=True)]  # fmt: skip
        if self.fetches_first:
            self._fetch(later, first, is_guarded=is_guarded)
        under_way = (self.ahead - (0 if self.fetches_first else 1)) * groups
        kernel.line(f"gp.copy_wait({choices.one_of((under_way, under_way, choices.below(under_way + 1)))})")
        has_spare = count > self.ahead
        fetches_between = not self.fetches_first and has_spare and choices.chance(35)
        if fetches_between:
            self._fetch(later, first, is_guarded=is_guarded)
        kernel.add_to(self.total, *names, self.tiles[0].kind)
        self._more(count)
        if self.fetches_first and count < self.ahead + 2:
            kernel.line(choices.one_of(("gp.barrier()", "gp.barrier(buffers=False)")))
        if not self.fetches_first and not fetches_between:
            if not has_spare:
                kernel.line(choices.one_of(("gp.barrier()", "gp.barrier(buffers=False)")))
            self._fetch(later, first, is_guarded=is_guarded)

    def _more(self, count: int) -> None:
        """What else a step does: the sums by place, or an element of its tile."""
        kernel, choices = self.kernel, self.kernel.choices
        if choices.chance(15):
            kernel.line(f"{self.total} = gp.map(weighed, {self.total}, indices=True)")
        if choices.chance(25):
            tiles = choices.one_of(self.tiles)
            kind, (rows, columns) = CARRIERS[tiles.kind], tiles.shape
            element = f"gp.{kind}({tiles.name}[{self.step} % {count}, t % {rows}, (t + n) % {columns}])"
            own = f"e_{kind}[i]"
            text = f"{own} * 3 + {element}"
            kernel.line(f"{own} = gp.clamp({text}, -64.0, 64.0)" if kind in FLOATS else f"{own} = {text}")
