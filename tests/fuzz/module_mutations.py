"""Damage to what stands around kernels: fields, annotations, decorators, enums, NewTypes, TypeVars."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Callable, Iterator

import source_mutations

VALUES = (
    "int", "float", "bool", "complex", "str", "object", "type", "None", "...", "True", "0", "-1", "2.5", "1j", "10**30",
    "'text'", "'gp.f32'", "'nope['", "b'x'", "()", "[]", "{}", "(1, 2)", "[8, 8]", "[[1]]", "{1}", "(2, 'a')",
    "lambda x: x", "len", "undefined", "gp", "gp.f32", "gp.bool", "gp.u8", "gp.f32x4", "gp.nope", "gp.In", "gp.Const",
    "gp.In[gp.f32]", "gp.In[gp.f32, 2]", "gp.In[gp.f32, 9]", "gp.In[gp.f32, 'a']", "gp.In[()]", "gp.In[gp.f32, 2, 3]",
    "gp.In[None]", "gp.In[int]", "gp.In['T']", "gp.In[gp.In[gp.f32]]", "gp.Out[[]]", "gp.InOut[{}, {}]", "gp.Const[3]",
    "gp.Const[gp.f32]", "gp.Const['int']", "gp.Const[()]", "gp.Const[None]", "gp.Const[[1]]", "gp.f32[3]", "list[int]",
    "int | None", "gp.f32 | None", "gp.f32 | gp.i32", "gp.f32(1)", "gp.f32('x')", "gp.f32x4(1, 2)", "gp.global_id(0)",
    "gp.barrier()", "gp.kernel", "gp.struct", "gp.kernel()", "gp.kernel(3)", "gp.kernel(len)", "gp.kernel(type)",
    "gp.struct(int)", "gp.struct(3)", "gp.struct(type)", "gp.kernel(workgroup_size=0)", "gp.kernel(nope=1)",
    "gp.kernel(debug='x')", "gp.kernel(lambda x: x)", "gp.kernel(workgroup_size=(1, 2, 3, 4))", "print", "staticmethod",
    "property", "classmethod", "type('C', (), {})", "type('E', (Exception,), {})", "object()", "__import__('math').pi",
    "__import__('enum').auto()", "__import__('enum').IntEnum('E', 'A B')", "__import__('enum').IntEnum('E', '')",
    "__import__('enum').IntEnum('E', {'A': 10**30})", "__import__('enum').IntFlag('E', 'A B')",
    "__import__('enum').Enum('E', {'A': 'text'})", "__import__('typing').NewType('N', gp.f32)",
    "__import__('typing').NewType('N', int)", "__import__('typing').NewType('N', None)", "__import__('typing').Any",
    "__import__('typing').NewType('M', __import__('typing').NewType('N', gp.u32))", "__import__('typing').TypeVar('T')",
    "__import__('typing').TypeVar('T', int, str)", "__import__('typing').TypeVar('T', gp.f32, gp.f32x4)",
    "__import__('typing').TypeVar('T', bound=gp.f32)", "__import__('typing').ClassVar[int]",
    "__import__('typing').ClassVar[gp.f32]", "__import__('typing').Annotated[gp.f32, 3]", "__import__('typing').Self",
    "__import__('typing').Literal[3]", "__import__('dataclasses').field(default=3)",
    "__import__('dataclasses').field(init=False)", "__import__('dataclasses').field(default_factory=list)",
    "__import__('dataclasses').InitVar[int]", "__import__('dataclasses').KW_ONLY", "__import__('numpy').float32",
    "__import__('numpy').zeros(3)", "__import__('numpy').dtype('f4,i4')", "__import__('functools').cache",
    "__import__('functools').partial(len)",
)  # fmt: skip
"""What stands where a type, a decorator, a base or a value should. None of it takes long, or asks for a device."""

_FIELDS = (
    "alpha: gp.f32", "alpha: gp.f32x4 = 3", "n: gp.i32 = 'a'", "flag: bool", "flag: bool = None", "width: gp.f32",
    "itemsize: gp.i32 = 4", "dtype: gp.f32", "ir_type: gp.i32 = 3", "mro: gp.i32", "__slots__ = ('a',)",
    "__slots__ = 3",
    "__hash__ = None", "__eq__ = None", "__init__ = 3", "def __init__(self): pass", "def __post_init__(self): 1 / 0",
    "def __new__(cls): return 3", "def __init_subclass__(cls): raise ValueError('own')", "__gpucore_fields__ = ()",
    "def __set_name__(self, owner, name): pass", "__match_args__ = 3", "__module__ = 3", "__qualname__ = 3",
    "__annotations__ = {}", "__annotations__ = {'a': 3}", "__annotations__ = 3", "__dict__ = 3", "__doc__ = 3",
    "__class_getitem__ = None", "__dataclass_fields__ = {}", "__dataclass_fields__ = 3", "class Inner: pass",
    "A = 1", "A = 'text'", "A = 10**30", "A = 2.5", "A = B = 1", "_ignore_ = 'A'", "_missing_ = 3",
    "@property\ndef n(self): 1",
    "def _generate_next_value_(*a): return 'x'", "@staticmethod\ndef alpha(): pass", "alpha: 'nope'", "alpha: 3 = 3",
    "a.b: gp.f32 = 1", "(a): gp.f32", "a[0]: gp.f32", "pass", "1 / 0", "undefined", "raise KeyError('own')",
    "del alpha",
)  # fmt: skip
_LINES = ("gp = None", "del gp", "T = 3", "x: gp.nope = 1", "from __future__ import annotations",
          "class Empty: pass", "import nope", "__name__ = 3", "__name__ = 'nope'", "__builtins__ = {}",
          "globals().clear()", "__file__ = 3")  # fmt: skip


def _slots(tree: ast.Module) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Where an expression stands outside of the bodies of functions."""
    for node in _outside(tree):
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                for position, item in enumerate(value):
                    if isinstance(item, ast.expr) and isinstance(getattr(item, "ctx", ast.Load()), ast.Load):
                        yield node, field, position
            elif isinstance(value, ast.expr) and isinstance(getattr(value, "ctx", ast.Load()), ast.Load):
                yield node, field, None


def _outside(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If):  # a script's main function is no definition, and takes long
            continue
        yield child
        if isinstance(child, (ast.FunctionDef, ast.Lambda)):
            yield from (part for part in ast.walk(child.args))
            if isinstance(child, ast.FunctionDef):
                for decorator in child.decorator_list:
                    yield from _outside(decorator)
        else:
            yield from _outside(child)


def _get(slot: tuple[ast.AST, str, int | None]) -> ast.expr:
    node, field, position = slot
    value = getattr(node, field)
    found: ast.expr = value if position is None else value[position]
    return found


def _set(slot: tuple[ast.AST, str, int | None], new: ast.expr) -> None:
    node, field, position = slot
    if position is None:
        setattr(node, field, new)
    else:
        getattr(node, field)[position] = new


def _expression(source: random.Random) -> ast.expr:
    return ast.parse(source.choice(VALUES), mode="eval").body


def replace(tree: ast.Module, source: random.Random) -> None:
    """An expression becomes another, one that stands elsewhere, or goes into a subscript or call."""
    slots = list(_slots(tree))
    if slots:
        slot, other = source.choice(slots), source.choice(slots)
        old, given = _get(slot), source.choice((_expression(source), copy.deepcopy(_get(other))))
        new: list[ast.expr] = [
            given, given, given, ast.Subscript(old, given), ast.Call(old, [given], []),
            ast.Constant(ast.unparse(given)),
        ]  # fmt: skip
        _set(slot, source.choice(new))


def annotate(tree: ast.Module, source: random.Random) -> None:
    """A parameter, a result or a field is annotated otherwise, or not at all."""
    owners = [node for node in ast.walk(tree) if isinstance(node, (ast.arg, ast.AnnAssign, ast.FunctionDef))]
    if not owners:
        return
    node, new = source.choice(owners), _expression(source)
    if isinstance(node, ast.FunctionDef):
        node.returns = new
    elif isinstance(node, ast.AnnAssign):
        node.annotation = new
    else:
        node.annotation = None if source.random() < 0.2 else new


def decorate(tree: ast.Module, source: random.Random) -> None:
    """A decorator leaves, comes twice, joins others, or gets other arguments."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    if not nodes:
        return
    node = source.choice([n for n in nodes if n.decorator_list] or nodes)
    decorators, what = node.decorator_list, source.randrange(5)
    calls = [d for d in decorators if isinstance(d, ast.Call)]
    if what == 0 and decorators:
        del decorators[source.randrange(len(decorators))]
    elif what == 1 and decorators:
        decorators.append(copy.deepcopy(source.choice(decorators)))
    elif what == 2:
        decorators.insert(source.randrange(len(decorators) + 1), _expression(source))
    elif calls:
        name = source.choice(("workgroup_size", "debug", "unchecked", "min_workgroups", "nope", None))
        source.choice(calls).keywords.append(ast.keyword(name, _expression(source)))
    else:
        name = source.choice(("workgroup_size", "debug", "unchecked", "min_workgroups", "nope"))
        decorators.append(ast.Call(_parsed("gp.kernel"), [], [ast.keyword(name, _expression(source))]))


def refield(tree: ast.Module, source: random.Random) -> None:
    """A class gains, loses or repeats a statement, or gets another base or metaclass."""
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    if not classes:
        return
    node, what = source.choice(classes), source.randrange(6)
    if what == 0:
        del node.body[source.randrange(len(node.body))]
    elif what == 1:
        node.body.append(copy.deepcopy(source.choice(node.body)))
    elif what == 2:
        node.bases = source.choice(([], [_expression(source)], [*node.bases, _expression(source)]))
    elif what == 3 and source.random() < 0.3:
        node.keywords.append(ast.keyword(source.choice(("metaclass", "nope", "boundary")), _expression(source)))
    else:
        at = source.randrange(len(node.body) + 1)
        node.body[at:at] = ast.parse(source.choice(_FIELDS)).body


def relist(tree: ast.Module, source: random.Random) -> None:
    """A statement of the module leaves, comes twice, changes places with another, or is a strange one."""
    at, to, what = source.randrange(len(tree.body)), source.randrange(len(tree.body)), source.randrange(4)
    if what == 0:
        del tree.body[at]
    elif what == 1:
        tree.body.insert(to, copy.deepcopy(tree.body[at]))
    elif what == 2:
        tree.body[at], tree.body[to] = tree.body[to], tree.body[at]
    else:
        tree.body[at:at] = ast.parse(source.choice(_LINES)).body


def add_types(tree: ast.Module, source: random.Random) -> None:
    """A struct, an enum, a NewType or a TypeVar stands above the first function, and a parameter names it."""
    field = source.choice(_FIELDS).replace("\n", "\n    ")
    made = source.choice((
        f"@gp.struct\nclass Added:\n    a: gp.f32\n    {field}",
        f"class Added(__import__('enum').IntEnum):\n    A = 1\n    {field}",
        f"Added = __import__('typing').NewType('Added', {source.choice(VALUES)})",
        f"Added = __import__('typing').TypeVar('Added', {source.choice(VALUES)}, {source.choice(VALUES)})",
        f"Added = {source.choice(VALUES)}",
    ))  # fmt: skip
    functions = [at for at, node in enumerate(tree.body) if isinstance(node, ast.FunctionDef) and node.args.args]
    if functions:
        at = source.choice(functions)
        node = tree.body[at]
        assert isinstance(node, ast.FunctionDef)
        source.choice(node.args.args).annotation = _parsed(
            source.choice(
                ("Added", "gp.In[Added]", "gp.InOut[Added, 2]", "gp.Out[Added]", "gp.Const[Added]", "'Added'")
            )
        )
        tree.body[at:at] = ast.parse(made).body


def default(tree: ast.Module, source: random.Random) -> None:
    """A parameter gets a default, or the parameters another form."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.args.args]
    if not functions:
        return
    arguments, what = source.choice(functions).args, source.randrange(4)
    if what == 0:
        arguments.defaults = [_expression(source)]
    elif what == 1:
        arguments.vararg = ast.arg("rest", _expression(source))
    elif what == 2:
        arguments.kwonlyargs, arguments.kw_defaults = [arguments.args.pop()], [None]
        arguments.defaults = []
    else:
        arguments.posonlyargs = [arguments.args.pop(0)]


DAMAGES: tuple[Callable[[ast.Module, random.Random], None], ...] = (
    replace, replace, replace, annotate, annotate, decorate, decorate, refield, refield, relist, add_types, default,
)  # fmt: skip


def damage(text: str, source: random.Random) -> str | None:
    """The module's text with one to three changes around its kernels; None for no Python."""
    tree = ast.parse(text)
    try:
        for _ in range(source.randint(1, 3)):
            if tree.body:
                source.choice(DAMAGES)(tree, source)
        for node in ast.walk(tree):
            if isinstance(node, (ast.If, ast.For, ast.While, ast.FunctionDef, ast.ClassDef)) and not node.body:
                node.body = [ast.Pass()]
        changed = ast.unparse(ast.fix_missing_locations(tree))
    except (ValueError, RecursionError, SyntaxError):
        return None
    return source_mutations.tear(changed, source) if source.random() < 0.15 else changed


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
