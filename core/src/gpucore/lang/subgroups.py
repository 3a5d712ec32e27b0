"""Subgroups: ids, sizes and operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from gpucore.lang.outside import kernel_only, outside

_F = TypeVar("_F", bound=Callable[..., Any])


def subgroup_size() -> int:
    """The number of invocations in a subgroup: i32. The last subgroup of a workgroup may have fewer."""
    outside("subgroup_size")


def subgroup_id() -> int:
    """The id of this invocation's subgroup in the workgroup: i32."""
    outside("subgroup_id")


def num_subgroups() -> int:
    """The number of subgroups in a workgroup: i32."""
    outside("num_subgroups")


def subgroup_invocation_id() -> int:
    """The id of this invocation in its subgroup: i32."""
    outside("subgroup_invocation_id")


SUBGROUPS: dict[str, Callable[..., Any]] = {}
"""The operations by name: votes on bool, match on i32 and u32, the others on i32, u32 and f32."""


def _subgroup(function: _F) -> _F:
    function = SUBGROUPS[function.__name__.removeprefix("subgroup_")] = kernel_only(function)
    function.__doc__ = f"{function.__doc__}\n\nAll invocations of the subgroup or none must reach it."
    return function


@_subgroup
def subgroup_broadcast(x: Any, id: Any, /) -> Any:
    """x of invocation `id`, which is the same in all."""


@_subgroup
def subgroup_shuffle(x: Any, id: Any, /) -> Any:
    """x of invocation `id`, which must exist."""


@_subgroup
def subgroup_shuffle_xor(x: Any, mask: Any, /) -> Any:
    """x of invocation (own id) ^ mask; undefined if there is none."""


@_subgroup
def subgroup_shuffle_up(x: Any, n: Any, /) -> Any:
    """x of invocation (own id) - n; undefined if there is none."""


@_subgroup
def subgroup_shuffle_down(x: Any, n: Any, /) -> Any:
    """x of invocation (own id) + n; undefined if there is none."""


@_subgroup
def subgroup_add(x: Any, /) -> Any:
    """The sum over the subgroup; floats are added in any order."""


@_subgroup
def subgroup_min(x: Any, /) -> Any:
    """The minimum over the subgroup."""


@_subgroup
def subgroup_max(x: Any, /) -> Any:
    """The maximum over the subgroup."""


@_subgroup
def subgroup_inclusive_add(x: Any, /) -> Any:
    """Prefix sum, own x included."""


@_subgroup
def subgroup_exclusive_add(x: Any, /) -> Any:
    """Prefix sum, own x excluded."""


@_subgroup
def subgroup_ballot(condition: Any, /) -> Any:
    """A u32x4: bit i is the condition of invocation i."""


@_subgroup
def subgroup_match(x: Any, bits: int, /) -> Any:
    """A u32x4: bit i is set if invocation i exists and its x has the same lowest `bits` bits.

    x is an i32 or u32; `bits`, from 1 to 32, is known when the kernel is compiled.
    """


@_subgroup
def subgroup_any(condition: Any, /) -> bool:
    """Whether the condition is true in at least one invocation."""
    outside("subgroup_any")


@_subgroup
def subgroup_all(condition: Any, /) -> bool:
    """Whether the condition is true in all invocations."""
    outside("subgroup_all")


@_subgroup
def subgroup_barrier(*, buffers: bool = True) -> None:
    """The invocations of a subgroup wait for each other, and see what the others wrote before, to any array.

    It orders nothing between subgroups: for that use `gp.barrier()`. With `buffers=False`, known at compile time, it
    orders accesses to workgroup memory only, as `gp.barrier(buffers=False)` does, which costs less on some devices.
    """
    outside("subgroup_barrier")


@_subgroup
def subgroup_elect() -> bool:
    """True only in the invocation with the smallest id."""
    outside("subgroup_elect")
