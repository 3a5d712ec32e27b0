"""find_groups: which stores of 8 and 16 bits one invocation makes to the same word, so that they can be one store.

`emulate_small_integers` must not change the other bytes of a word, as other invocations may store to them at the same
time. Stores of a block to bytes of one word, with nothing between them that could observe their order, are made
together, where the last of them is. If they cover the word there are no other bytes, and no atomic is needed: an
invocation that stores to a byte of the word at the same time races with this one for an element, as it did before.

That two bytes are in one word is known modulo 2**32, in which indices are computed: their distance is known, and both
are in an aligned piece of 2 or 4 bytes, because all other terms of the index are multiples.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from gpucore.immutable import Immutable
from gpucore.ir import (
    Assign,
    Binary,
    BinaryOp,
    Block,
    Buffer,
    Constant,
    Declare,
    DeclareArray,
    Expr,
    Let,
    Load,
    Local,
    Place,
    Prefetch,
    ScalarType,
    Store,
    scalar_of,
    walk,
)
from gpucore.ir.multiples import power_of_two

_WORD = 4
_MAX_PENDING = 16  # groups that later stores may join, which bounds the time for long blocks


def parts_of(place: Place) -> Iterator[tuple[int, ScalarType]]:
    """The scalars of a place, each with its offset from the first."""
    scalar = scalar_of(place.type)
    return ((number * scalar.nbytes, scalar) for number in range(place.type.nbytes // scalar.nbytes))


class Bits(Immutable):
    """The part of a group that one scalar is: it begins `first` bytes after the piece."""

    first: int
    type: ScalarType


@dataclass(slots=True, eq=False)
class Group:
    """Scalars that are stored together, to an aligned piece of `size` bytes.

    The keys of `members` are the position of the statement in the block, and the number of the scalar in its place.
    """

    buffer: int
    base: tuple[Expr, ...]  # the terms of the index that are not constant
    piece: int  # the distance of the piece from the base, in its own size
    size: int
    members: dict[tuple[int, int], Bits] = field(default_factory=dict)
    stored: list[Expr] = field(default_factory=list)
    """For the emulation: the bits of the first members."""

    @property
    def is_full(self) -> bool:
        """Whether its members fill the piece."""
        return sum(bits.type.nbytes for bits in self.members.values()) == self.size

    def mentions(self, local: Local) -> bool:
        """Whether the index depends on a variable."""
        return any(leaf == local for term in self.base for leaf in walk.leaves(term))

    def touches(self, first: int, nbytes: int) -> bool:
        """Whether an access to bytes at this distance from the base meets one of its own."""
        at = self.piece * self.size
        ours = ((at + bits.first, bits.type.nbytes) for bits in self.members.values())
        return any(first < start + length and start < first + nbytes for start, length in ours)


def find_groups(block: Block, buffers: Collection[int], powers: Mapping[int, int]) -> dict[int, dict[int, Group]]:
    """The groups of a block, of two members or more: by the position of a statement, then the number of its scalar.

    `buffers` are those that become words.
    """
    found: dict[int, dict[int, Group]] = {}
    pending: list[Group] = []

    def close(groups: list[Group]) -> None:
        for group in groups:
            pending.remove(group)
            for position, number in group.members if len(group.members) > 1 else ():
                found.setdefault(position, {})[number] = group

    for position, statement in enumerate(block if buffers else ()):
        match statement:
            case Load() | Store() if _index_of(statement.place, buffers) is not None:
                base, constant = _terms(statement.place.index)
                for number, (offset, type) in enumerate(parts_of(statement.place)):
                    first = constant * statement.place.memory.element.nbytes + statement.place.offset + offset
                    close([g for g in pending if _meets(g, statement.place, base, first, type.nbytes)])
                    group = _group_for(statement, base, first, type, pending, powers)
                    if group is not None:
                        group.members[position, number] = Bits(first - group.piece * group.size, type)
                        close([group] if group.is_full else pending[:-_MAX_PENDING])
            case Assign():
                close([group for group in pending if group.mentions(statement.local)])
            case Load() | Store() | Prefetch() | Let() | Declare() | DeclareArray():
                pass
            case _:  # other invocations may see the stores before it, or none may be made after it
                close([*pending])
    close([*pending])
    return found


def _index_of(place: Place, buffers: Collection[int]) -> int | None:
    memory = place.memory
    return memory.index if isinstance(memory, Buffer) and memory.index in buffers else None


def _meets(group: Group, place: Place, base: tuple[Expr, ...], first: int, nbytes: int) -> bool:
    """Whether an access may meet a byte of a group: not if the two differ by a known distance that is large enough."""
    if not isinstance(place.memory, Buffer) or place.memory.index != group.buffer:
        return False
    return base != group.base or group.touches(first, nbytes)


def _group_for(
    statement: Load | Store,
    base: tuple[Expr, ...],
    first: int,
    type: ScalarType,
    pending: list[Group],
    powers: Mapping[int, int],
) -> Group | None:
    """The group of a scalar that is stored: one of `pending`, or a new one there. None if it can have none."""
    memory = statement.place.memory
    if not isinstance(statement, Store) or not isinstance(memory, Buffer) or type.nbytes >= _WORD:
        return None
    of_element = memory.element.nbytes & -memory.element.nbytes
    of_index = min((power_of_two(term, powers) for term in base), default=_WORD)
    size = min(_WORD, of_element * of_index)
    if size <= type.nbytes:
        return None
    for group in pending:
        if (group.buffer, group.base, group.piece, group.size) == (memory.index, base, first // size, size):
            return group
    pending.append(Group(memory.index, base, first // size, size))
    return pending[-1]


# ---------------------------------------------------------------- indices


def _terms(index: Expr) -> tuple[tuple[Expr, ...], int]:
    """The terms of a sum that are not constants, and the sum of the others, modulo 2**32: from -2**31."""
    terms: list[Expr] = []
    constant, stack = 0, [(index, 1)]
    while stack:
        expr, sign = stack.pop()
        if isinstance(expr, Constant):
            constant += sign * int(expr.value)
        elif isinstance(expr, Binary) and expr.op is BinaryOp.ADD:
            stack += [(expr.right, sign), (expr.left, sign)]
        elif isinstance(expr, Binary) and expr.op is BinaryOp.SUB and isinstance(expr.right, Constant):
            stack += [(expr.right, -sign), (expr.left, sign)]
        else:
            terms.append(expr)
    return tuple(terms), (constant + (1 << 31)) % (1 << 32) - (1 << 31)
