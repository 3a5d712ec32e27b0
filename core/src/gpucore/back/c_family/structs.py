"""Struct definitions as text: the language's own structs, with static assertions that the layout is the host's."""

from __future__ import annotations

from gpucore.back.c_family.dialect import CDialect
from gpucore.back.c_family.expressions import Expressions
from gpucore.back.names import Names
from gpucore.ir import Element, StructType


class Structs:
    """The structs of one kernel. A struct is declared after those that it contains.

    `outer` names identifiers at file scope, `names` those inside the kernel: a struct's name must be free in both.
    """

    def __init__(self, dialect: CDialect, outer: Names, names: Names, expressions: Expressions) -> None:
        self.lines: list[str] = []
        self._dialect = dialect
        self._outer = outer
        self._names = names
        self._expressions = expressions
        self._fields: dict[StructType, list[str]] = {}
        self._assertions = 0

    def type_name(self, element: Element) -> str:
        """The name of an element's type; a struct is declared at the first call."""
        if not isinstance(element, StructType):
            return self._expressions.type_name(element)
        if element not in self._fields:
            self._declare(element)
        return self._name(element)

    def members(self, struct: StructType, path: tuple[int, ...]) -> str:
        """The member access from a struct to the scalar or vector at `path`: `.velocity.x`."""
        element: Element = struct
        text = ""
        for number in path:
            assert isinstance(element, StructType)
            text += f".{self._fields[element][number]}"
            element = element.fields[number].type
        return text

    def _name(self, struct: StructType) -> str:
        key = ("struct", struct)
        return f"struct {self._names.name(key, self._outer.name(key, struct.name))}"

    def _declare(self, struct: StructType) -> None:
        types = [self.type_name(field.type) for field in struct.fields]
        in_struct = Names(self._dialect.names_in_use)
        fields = [in_struct.name(number, field.name) for number, field in enumerate(struct.fields)]
        self._fields[struct] = fields
        name = self._name(struct)
        self.lines.append(f"{name} {{")
        self.lines += [f"    {type} {field};" for type, field in zip(types, fields, strict=True)]
        self.lines.append("};")
        self._assert(f"sizeof({name}) == {struct.nbytes}")
        if self._dialect.offset_of:
            for text, field in zip(fields, struct.fields, strict=True):
                offset = self._dialect.offset_of.format(struct=name, member=text)
                self._assert(f"{offset} == {field.offset}")

    def _assert(self, condition: str) -> None:
        self.lines.append(self._dialect.static_assertion.format(condition=condition, number=self._assertions))
        self._assertions += 1
