"""A valid kernel as the source of one Python function with the line numbers of the user's function.

The result is a syntax tree, not just text: each statement has the line and the columns of the user's statement.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from gpucore import ir
from gpucore.back.names import Names
from gpucore.immutable import Immutable
from gpucore.ir.ranges import Ranges
from gpucore.runtime import Source
from gpucore.simulator.positions import Placer, spans_by_line
from gpucore.simulator.scope import RESERVED, Scope
from gpucore.simulator.statements import StatementEmitter
from gpucore.simulator.templates import Templates, literal
from gpucore.span import Span

LANGUAGE = "python"

Statements = TypeVar("Statements", bound=StatementEmitter)


class Program(Immutable):
    """The payload of a Source. `places` has the array and the source location of each index check."""

    valid: ir.ValidModule
    tree: ast.Module
    filename: str
    yields: bool  # the function is a generator: it yields a number at a barrier, a Request at a collective operation
    uses_subgroups: bool  # its last arguments are size, id, invocation id and number of subgroups
    places: tuple[tuple[str, Span | None], ...]


_IDS = (ir.BuiltinKind.WORKGROUP_ID, ir.BuiltinKind.LOCAL_ID, ir.BuiltinKind.NUM_WORKGROUPS)
_SUBGROUP_IDS = (
    ir.BuiltinKind.SUBGROUP_SIZE,
    ir.BuiltinKind.SUBGROUP_ID,
    ir.BuiltinKind.SUBGROUP_INVOCATION_ID,
    ir.BuiltinKind.NUM_SUBGROUPS,
)


@dataclass(frozen=True, slots=True)
class Written(Generic[Statements]):
    """A kernel as a Python module, and the emitter that wrote its statements."""

    tree: ast.Module
    entry: str
    filename: str
    statements: Statements
    spans: dict[ast.stmt, Span]


def emit(valid: ir.ValidModule) -> Source:
    """A function of the kernel's name: the memory of buffers, their lengths, params, workgroup arrays, ids, and arrays
    to look at in a debugger."""
    module = valid.module
    written = write(module, StatementEmitter, shows_arrays=True)
    text = ast.unparse(written.tree) + "\n"
    statements = written.statements
    return Source(
        language=LANGUAGE,
        text=text,
        entry=written.entry,
        workgroup_size=module.workgroup_size,
        writes=tuple(buffer.index in valid.written_buffers for buffer in module.buffers),
        scalars_nbytes=valid.scalars_nbytes,
        workgroup_memory=sum(array.element.nbytes * array.length for array in module.workgroup_arrays),
        lines=spans_by_line(written.tree, text, written.spans),
        payload=Program(
            valid,
            written.tree,
            written.filename,
            statements.yields > 0,
            uses_subgroups(module),
            tuple(statements.places),
        ),
    )


def write(
    module: ir.Module,
    make_statements: Callable[[Templates, Scope, Placer, Ranges], Statements],
    extra_parameters: tuple[str, ...] = (),
    shows_arrays: bool = False,
) -> Written[Statements]:
    """The function and the lines before it. `make_statements` makes the emitter of the body. `shows_arrays`: the last
    parameters have the names of the buffers, whose memory gets other names."""
    names = Names(RESERVED)
    templates, scope, placer = Templates(names), Scope(names), Placer(module.span)
    entry = module.name if module.name.isidentifier() and module.name not in RESERVED else "kernel"
    shown = [scope.bind(("array", buffer), buffer.name) for buffer in module.buffers if shows_arrays and buffer.rank]
    parameters = ", ".join([*_parameters(module, scope, "_memory" * shows_arrays), *extra_parameters, *shown])
    function = ast.parse(f"def {entry}({parameters}): pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    placer.place([function], module.span, is_header=True)
    tables = [_table(array, templates, scope) for array in ir.walk.constant_arrays(module.body)]
    statements = make_statements(templates, scope, placer, Ranges(module))
    copies = any(
        isinstance(statement, (ir.CopyAsync, ir.CopyPart, ir.CopyGroup, ir.CopyWait))
        for statement in ir.walk.statements(module.body)
    )
    begin = placer.place(templates.statements("gpucore_copies = gpucore_copy_queue()"), module.span) if copies else []
    function.body = begin + statements.block(module.body)
    head = placer.place([*templates.head(), *tables], module.span, is_header=True)
    filename = module.span.file if module.span else f"<gpucore {module.name}>"
    return Written(ast.Module([*head, function], []), entry, filename, statements, placer.spans)


def _parameters(module: ir.Module, scope: Scope, suffix: str) -> list[str]:
    """The names, in the order of the arguments. The user's own names are assigned first."""
    if not suffix:
        buffers = [scope.bind(buffer, buffer.name) for buffer in module.buffers]
    params = [scope.bind(param, param.name) for param in module.params]
    arrays = [scope.bind(array.id, array.name) for array in module.workgroup_arrays]
    if suffix:
        buffers = [scope.bind(buffer, f"{buffer.name}{suffix}") for buffer in module.buffers]
    given = _IDS + (_SUBGROUP_IDS if uses_subgroups(module) else ())
    lengths = [scope.bind(("length", buffer), f"{buffer.name}_length") for buffer in module.buffers]
    return buffers + lengths + params + arrays + [scope.bind(kind, kind.value) for kind in given]


def _table(array: ir.ConstantArray, templates: Templates, scope: Scope) -> ast.stmt:
    """A constant array as a tuple in a global."""
    values: ast.expr = ast.Tuple([literal(value) for value in array.values], ast.Load())
    if array.element.is_float:
        values = templates.expression(f"tuple(map({array.element}, values))", values=values)
    return ast.Assign([ast.Name(scope.bind(array.id, array.name), ast.Store())], values)


def uses_subgroups(module: ir.Module) -> bool:
    """Whether the kernel uses the ids or the size of subgroups."""
    if any(isinstance(each, ir.CooperativeLoad | ir.CooperativeStore) for each in ir.walk.statements(module.body)):
        return True
    return any(
        isinstance(part, ir.Builtin) and part.kind in ir.SUBGROUP_BUILTINS
        for statement in ir.walk.statements(module.body)
        for expr in ir.walk.expressions(statement)
        for part in ir.walk.subexpressions(expr)
    )
