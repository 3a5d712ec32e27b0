"""Identifiers for generated text: readable, unique, never a reserved word of the target."""

from __future__ import annotations

import re


class Names:
    """Gives each IR object one identifier, close to its name in the user's code.

    `reserved` holds the target's keywords and built-in names; one that ends in `*` is a prefix. Names that start with
    `gpucore_` are the emitter's own: a user's name with that prefix is changed.
    """

    def __init__(self, reserved: frozenset[str]) -> None:
        self._taken: set[str] = set(reserved)
        self._beginnings = ("gpucore", *(name[:-1] for name in reserved if name.endswith("*")))
        self._by_key: dict[object, str] = {}
        self._last: dict[str, int] = {}  # by stem, the last number used; all below it are taken

    def name(self, key: object, hint: str) -> str:
        """The identifier for `key` (such as an IR id), derived from `hint` at the first call."""
        if key not in self._by_key:
            self._by_key[key] = self._fresh(hint)
        return self._by_key[key]

    def _fresh(self, hint: str) -> str:
        stem = re.sub(r"[^A-Za-z0-9_]", "_", hint)
        stem = re.sub(r"__+", "_", stem).strip("_") or "value"
        if stem[0].isdigit() or stem.startswith(self._beginnings):
            stem = f"v_{stem}"
        number = self._last.get(stem, 1)
        candidate = stem if number == 1 else f"{stem}_{number}"
        while candidate in self._taken:
            number += 1
            candidate = f"{stem}_{number}"
        self._taken.add(candidate)
        self._last[stem] = number
        return candidate
