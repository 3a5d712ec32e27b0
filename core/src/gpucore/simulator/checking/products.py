"""Products of groups in a checked run: which elements they read, and when."""

from __future__ import annotations

from collections.abc import Sequence

from gpucore.simulator.checking.watch import Runner, Team
from gpucore.simulator.groups import Part, Product, Products


class CheckedProducts(Products):
    """The products of a workgroup that are under way.

    A product is a reader of its own, with the ids of the first invocation of its group: the group reads together, and
    only barriers of the workgroup order it with the invocations.
    """

    def __init__(self, runners: Sequence[Runner]) -> None:
        super().__init__()
        self._runners = runners
        self._readers: dict[int, Runner] = {}  # by the identity of what the first invocation gave

    def _begin(self, number: int, products: Sequence[Product]) -> None:
        product, me = products[0], self._runners[number]
        reader = Runner(me.watch, me.group, Team(), me.number, me.local_id, me.size)
        parts = _parts(product)
        for part, indices in parts:
            if not all(reader.may_access(each, len(part.memory), part.site) for each in (min(indices), max(indices))):
                return
        for part, indices in parts:
            part.memory.begin_product(indices, part.site, reader)
        for runner, own in zip(self._runners[number:], products, strict=False):
            runner.adding.append(own.sums)
        self._readers[id(product)] = reader
        super()._begin(number, products)

    def _end(self, number: int, products: Sequence[Product]) -> None:
        super()._end(number, products)
        reader = self._readers.pop(id(products[0]))
        for part, indices in _parts(products[0]):
            part.memory.end_product(indices, part.site, reader)
        for runner, own in zip(self._runners[number:], products, strict=False):
            runner.adding = [array for array in runner.adding if array is not own.sums]


def _parts(product: Product) -> list[tuple[Part, list[int]]]:
    """The two parts, with the elements of each."""
    places = (each.reshape(-1).tolist() for each in product.places())
    return list(zip((product.left, product.right), places, strict=True))
