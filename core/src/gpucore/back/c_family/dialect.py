"""The table that describes one dialect of C. Each emitter defines its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property

from gpucore.ir import (
    AtomicOp,
    BinaryOp,
    BuiltinKind,
    Capability,
    MathOp,
    ScalarType,
    SubgroupOp,
    Type,
    UnaryOp,
    VectorType,
    expansions,
)


@dataclass(frozen=True)
class CDialect:
    """Everything that the writer needs to know about a dialect.

    Values are templates for `str.format`; `{0}`, `{1}`, ... are operands, already written as text. The text of an entry
    must bind as tightly as a function call. An absent entry is an operation that the dialect lacks, unless the writer
    can express it in simpler ones. Names that start with `gpucore_` refer to `prologue`.

    The comment of a field names its placeholders. `types`, the barriers, `fence`, `zero_initialiser`, `const`,
    `volatile`, `restrict`, `helper_prefix` and all texts before the kernel are no templates: their braces are single.
    The barriers, `fence`, `static_assertion`, `workgroup_block` and the declarations of arrays are whole statements,
    with their semicolon; the writer ends those of `atomics` and `subgroup`. `const`, `volatile`, `restrict` and
    `helper_prefix` end with a space. The writer ends each text before the kernel with one newline, with or without its
    own.
    """

    name: str  # the language, as Source.language has it and errors name it
    types: Mapping[Type, str]  # a vector is aligned to its size
    literals: Mapping[ScalarType, str]  # {value} in decimal or true, false; {bits} in hexadecimal
    special_floats: Mapping[ScalarType, str]  # infinity and NaN from {bits}
    # A prefix before {name} keeps names of kernels apart from those of the language's library. Source.entry is without:
    # a device that finds the entry by prefix and name does so in native texts, too.
    entry: str  # {name} {parameters} {x} {y} {z} {invocations}, {min_workgroups} with a comma before it, if any
    helper_prefix: str  # before the return type of a helper function
    buffer: str  # {const} {volatile} {type} {restrict} {name}
    restrict: str
    const: str
    volatile: str
    scalars_parameter: str  # {type} {name}: the scalars by value
    builtins: Mapping[BuiltinKind, str]  # {axis} as a number, {letter} as x, y, z; {x} {y} {z} {invocations}
    static_assertion: str  # {condition} {number}
    offset_of: str  # {struct} {member}; "" where the compiler has no constant expression for it
    workgroup_array: str  # {volatile} {type} {name} {length} {alignment}
    constant_array: str  # {type} {name} {length} {values}, outside the kernel
    barrier: str
    barrier_with_buffers: str
    zero_initialiser: str
    atomics: Mapping[AtomicOp, str]  # {type} {pointer} {operand} {comparand}; LOAD and STORE may be absent
    construct: Mapping[VectorType, str]
    typed_atomics: Mapping[tuple[AtomicOp, ScalarType], str] = field(default_factory=dict)  # instead of `atomics`
    subgroup: Mapping[SubgroupOp, str] = field(default_factory=dict)  # {scalar} {operand} {argument} {bits} {x} {y} {z}
    # of MatrixLoad "load" and "load_transposed": {place} {offset}; of MatrixMultiply the inputs: {left} {right} {sums},
    # and {inner} of MatrixAccumulate;
    # "copy" and "copy_whole": {nbytes} {place} {offset} {source} {valid}; "copy_group"; "copy_wait": {pending};
    # "copy_part": {rows} {columns} {place} {offset} {count} {source}, {lengths} and {indices} of a matrix;
    # "group": {inputs} {columns} {inner} {sums} {left} {right} {left_panel} {right_panel} {is_left_transposed}
    # {is_right_transposed}, "group_wait": {length} {sums}, and "group_fence" before each barrier
    matrices: Mapping[str, str] = field(default_factory=dict)
    fence: str = ""  # of the device
    restrict_beside_written: bool = True  # read-only buffers are `restrict` also where others are read and written
    view: str = ""  # {const} {type} {name}: a buffer as an array of another type
    volatile_access: str = ""  # {type} {place}: a scalar of a struct, where a whole struct cannot be volatile
    splat: Mapping[VectorType, str] = field(default_factory=dict)
    extract: Mapping[VectorType, str] = field(default_factory=dict)  # {0} {component}; "{0}.{component}" if absent
    math: Mapping[tuple[MathOp, Type], str] = field(default_factory=dict)  # keyed by the type of the first argument
    conversions: Mapping[tuple[Type, Type], str] = field(default_factory=dict)  # from, to; number casts need none
    bitcasts: Mapping[tuple[Type, Type], str] = field(default_factory=dict)  # from, to
    any_bitcast: str = ""  # {type} {0}: between any two types of one size
    vector_operators: frozenset[tuple[BinaryOp | UnaryOp, Type]] = frozenset()  # operators built into the dialect
    operator_overloading: bool = False  # a helper may define an operator for vectors
    computed_in: Mapping[ScalarType, ScalarType] = field(default_factory=dict)
    """For the functions of a type: the type in which they are computed. They have no entries of their own in `math`."""
    scalar_members: Mapping[ScalarType, tuple[ScalarType, str]] = field(default_factory=dict)  # member, value
    max_static_workgroup_memory: int | None = None  # more bytes than this are passed as one block at dispatch
    workgroup_block: str = ""  # {alignment}: declares the block
    workgroup_array_in_block: str = ""  # {volatile} {type} {name} {offset}
    type_headers: Mapping[ScalarType, str] = field(default_factory=dict)  # lines needed if a type is used
    capability_headers: Mapping[Capability, str] = field(default_factory=dict)  # lines needed if one is used
    header: str = ""
    prologue: Mapping[str, str] = field(default_factory=dict)  # definitions by name; only what is used is written
    # Names of the language that no kernel may have. Those in the templates above and C's keywords are reserved without,
    # but not those in headers and the prologue, as of macros. One that ends in * is a prefix.
    reserved: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()  # likewise of kernels, structs and constant arrays, but not of values

    @cached_property
    def names_in_use(self) -> frozenset[str]:
        """Every identifier that the dialect's own text may contain. The kernel's names must avoid them."""
        words: set[str] = set()
        for text in self._texts():
            without_fields = re.sub(r"\{\w*\}", "0", text)
            words.update(re.findall(r"(?<![\w.])[A-Za-z_]\w*", without_fields))
        return frozenset(words) | self.reserved | KEYWORDS

    @cached_property
    def operations(self) -> frozenset[MathOp | SubgroupOp]:
        """What a backend of this dialect writes: what it must, and what is in `math` and `subgroup`."""
        return frozenset({*expansions.required(), *(op for op, _ in self.math), *self.subgroup})

    def _texts(self) -> Iterator[str]:
        """All templates, except text before the kernel, which has its own scopes."""
        for entry in fields(self):
            value = getattr(self, entry.name)
            if entry.name in ("prologue", "type_headers", "capability_headers", "header"):
                continue
            for part in value.values() if isinstance(value, Mapping) else (value,):
                text = part[-1] if isinstance(part, tuple) else part
                if isinstance(text, str):
                    yield text


_KEYWORD_TEXT = """
auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false
half complex imaginary
"""
KEYWORDS = frozenset(_KEYWORD_TEXT.split())
"""Reserved in every dialect of C. `Names` never gives a name with two underscores in a row."""
