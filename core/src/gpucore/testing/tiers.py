"""Tiers: which behaviours a run has. `TIER_TEXTS` says what each is.

"full" has what "basic" has, and "all" has all; "stress", "algorithms" and "debugging" have their own behaviours alone.
Several are joined by commas: "full,algorithms".
"""

from __future__ import annotations

import difflib
from collections.abc import Callable

TIERS = ("basic", "full", "stress", "algorithms", "debugging")
"""The tier of a behaviour is one of these."""

TIER_TEXTS = {
    "basic": "devices, buffers, queue, simple kernels: for a backend that was just begun; seconds",
    "full": "what every backend must do; with basic. The default",
    "stress": "many allocations, long queues, threads, large sizes",
    "algorithms": "the library's own kernels against NumPy, at odd sizes",
    "debugging": "assertions, prints and indices in debug builds, and gp.check",
    "all": "all of them",
}
"""What a user can name: the tiers, and all."""

DEFAULT_TIER = "full"
_PARTS = {"full": frozenset({"basic", "full"}), "all": frozenset(TIERS)}

BASIC = frozenset({
    "C001", "C002", "C003", "C004", "C005", "C006", "C008", "C009", "C010", "C011", "C013",
    "C020", "C021", "C022", "C023", "C024", "C025", "C026", "C027", "C030", "C032", "C033", "C034", "C035", "C036",
    "C037", "C038", "C040", "C042",
    "C100", "C101", "C103", "C104", "C105", "C106", "C112", "C115",
    "C200", "C210", "C211", "C220", "C224",
    "C300", "C302", "C340",
    "C400", "C402", "C453",
    "C500", "C501", "C503", "C508", "C550", "C552", "C600", "C601", "C607", "C620", "C700", "C702", "C704",
})  # fmt: skip
"""The behaviours of the tier basic. All others of a suite without a tier of its own are of full."""


def in_tier(name: str) -> Callable[[type], type]:
    """Decorator of a suite whose behaviours are of the tier `name`."""

    def mark(suite: type) -> type:
        for method in vars(suite).values():
            if callable(method):
                method.tier = name
        return suite

    return mark


def parse_tier(text: str) -> frozenset[str]:
    """The members of TIERS that "full", "all" or "full,algorithms" stands for. Raises ValueError."""
    names = [part.strip() for part in text.split(",")]
    for name in names:
        if name not in TIER_TEXTS:
            near = difflib.get_close_matches(name, TIER_TEXTS, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"there is no tier {name!r}: tiers are {', '.join(TIERS)} and all{hint}")
    return frozenset[str]().union(*(_PARTS.get(name, frozenset({name})) for name in names))
