"""Layout of the scratch memory of a call: what a running workgroup needs besides registers."""

from __future__ import annotations

from gpucore.plugin import ir
from gpucore_cpu.layout import memory_nbytes

ALIGN = 64


class Scratch:
    """Allocates pieces by key. Each piece becomes a parameter of the generated function, so that none can alias."""

    def __init__(self) -> None:
        self.nbytes = 0
        self.pieces: list[tuple[str, int]] = []  # (name in the generated text, offset)
        self._names: dict[str, str] = {}

    def array(self, key: str, element: ir.Type, length: int) -> str:
        """The address of `length` elements; the same for the same key."""
        if key not in self._names:
            self._names[key] = f"%scratch{len(self.pieces)}"
            self.pieces.append((self._names[key], self.nbytes))
            self.nbytes += -(-length * memory_nbytes(element) // ALIGN) * ALIGN
        return self._names[key]

    def invocation_array(self, key: str, name: ir.Value | ir.Local | ir.PrivateArray, count: int) -> str:
        """The address of an array that holds a value, local or private array for each of `count` invocations."""
        if isinstance(name, ir.PrivateArray):
            return self.array(key, name.element, name.length * count)
        return self.array(key, name.type, count)
