"""Damage to the text of kernels: tokens, names, numbers, nesting and length. Each function takes and gives a module."""

from __future__ import annotations

import ast
import copy
import io
import random
import tokenize
from collections.abc import Callable, Iterator

import mutations

WEIRD_NAMES = (
    "main", "kernel", "float_", "var", "let", "fn", "half", "double", "int4", "short", "unsigned", "volatile", "struct",
    "array", "atomic", "workgroup", "storage", "vec4", "mat4x4", "ptr", "sampler", "texture_2d", "void", "switch",
    "case", "default", "goto", "inline", "restrict", "register", "typedef", "sizeof", "const", "static", "extern",
    "threadIdx", "blockIdx", "warpSize", "asm", "template", "namespace", "new", "delete", "this", "operator", "auto",
    "__global", "__local", "__kernel", "__shared__", "__x", "_", "__", "___", "a__b", "_a", "x_", "get_global_id",
    "barrier", "min", "max", "select", "clamp", "NULL", "true", "false", "INFINITY", "NAN", "INT_MAX", "M_PI",
    "entry", "i1", "i32", "ret", "br", "phi", "label", "float", "double2", "ptr_", "global_id", "local_id",
    "workgroup_id", "gpucore_local_id", "gpucore", "trip", "part", "condition", "choice", "np", "numpy", "self", "x0",
    "π", "変数", "größe", "ñandú", "Ω", "µ", "ﬁ", "é", "e\u0301", "def_", "override", "enable", "diagnostic", "target",
    "uint", "uchar", "size_t", "uint4", "bool_", "u32", "std", "cl_khr_fp64", "defined", "__FILE__", "__LINE__", "I",
    "pipe", "complex", "imaginary", "discard", "fallthrough", "loop", "continuing", "while_", "filter", "macro",
)  # fmt: skip
"""Names that mean something to a target, or that it cannot spell."""

_NUMBERS = ("10**40", "-1", "2**31", "2**32", "-2**31", "2**63", "2**64", "1e400", "-1e400", "1e-400", "5e-324", "1e39",
            "0.1", "65504.1", "10**400", "10**5000", "0", "-0.0", "1j", "True", "4294967295",
            "3.4028235677973366e38")  # fmt: skip
_DEPTHS = (3, 20, 60, 90, 150, 400, 1500)


def functions_of(tree: ast.Module) -> list[ast.FunctionDef]:
    """The functions of a module and the methods of its classes, kernels or not."""
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for cls in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        found += [node for node in cls.body if isinstance(node, ast.FunctionDef) and not node.decorator_list]
    return found


def _places(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, str, int | None, ast.expr]]:
    for statement in function.body:
        for node in ast.walk(statement):
            for field, value in ast.iter_fields(node):
                for position, item in enumerate(value if isinstance(value, list) else [value]):
                    if isinstance(item, ast.expr) and isinstance(getattr(item, "ctx", ast.Load()), ast.Load):
                        yield node, field, position if isinstance(value, list) else None, item


def _replace(function: ast.FunctionDef, source: random.Random, new: Callable[[ast.expr], ast.expr]) -> None:
    places = list(_places(function))
    if places:
        node, field, position, old = source.choice(places)
        if position is None:
            setattr(node, field, new(old))
        else:
            getattr(node, field)[position] = new(old)


def _blocks(function: ast.FunctionDef) -> list[list[ast.stmt]]:
    found = []
    for node in ast.walk(function):
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                found.append(block)
    return found


def graft(function: ast.FunctionDef, tree: ast.Module, source: random.Random) -> None:
    """An expression of one function in the place of another."""
    donor = source.choice(functions_of(tree))
    expressions = [item for _, _, _, item in _places(donor)]
    if expressions:
        _replace(function, source, lambda _: copy.deepcopy(source.choice(expressions)))


def shuffle(function: ast.FunctionDef, tree: ast.Module, source: random.Random) -> None:
    """Statements leave, come twice, or change places."""
    blocks = _blocks(function)
    if not blocks:  # an earlier change took the last statement
        return
    block, other = source.choice(blocks), source.choice(blocks)
    at = source.randrange(len(block))
    what = source.randrange(4)
    if what == 0 and len(block) > 1:
        del block[at]
    elif what == 1:
        block.insert(at, copy.deepcopy(block[at]))
    elif what == 2:
        to = source.randrange(len(block))
        block[at], block[to] = block[to], block[at]
    else:
        other.insert(source.randrange(len(other) + 1), copy.deepcopy(block[at]))


def renumber(function: ast.FunctionDef, tree: ast.Module, source: random.Random) -> None:
    """A number, or another expression, becomes an awkward number."""
    _replace(function, source, lambda _: _expression(source.choice(_NUMBERS)))


def deepen(function: ast.FunctionDef, tree: ast.Module, source: random.Random) -> None:
    """An expression or statement is nested deeply."""
    depth, form = source.choice(_DEPTHS), source.randrange(6)
    if form < 4:
        wrap: list[Callable[[ast.expr, ast.expr], ast.expr]] = [
            lambda e, _: ast.UnaryOp(ast.USub(), e), lambda e, old: ast.BinOp(e, ast.Add(), copy.copy(old)),
            lambda e, old: ast.BinOp(copy.copy(old), ast.Mult(), e),
            lambda e, old: ast.IfExp(ast.Compare(copy.copy(old), [ast.Lt()], [ast.Constant(3)]), e, copy.copy(old)),
        ]  # fmt: skip

        def nested(old: ast.expr) -> ast.expr:
            new = old
            for _ in range(depth):
                new = wrap[form](new, old)
            return new

        _replace(function, source, nested)
        return
    block = source.choice(_blocks(function))
    at = source.randrange(len(block))
    statement = block[at]
    for _ in range(min(depth, 90)):  # Python itself refuses more than a hundred levels of indentation
        test = _expression("gp.global_id(0) < 3")
        statement = ast.If(test, [statement], []) if form == 4 else ast.While(test, [statement, ast.Break()], [])
    block[at] = statement


def lengthen(function: ast.FunctionDef, tree: ast.Module, source: random.Random) -> None:
    """A statement stands there hundreds of times."""
    block = source.choice(_blocks(function))
    at = source.randrange(len(block))
    block[at:at] = [copy.deepcopy(block[at]) for _ in range(source.choice((10, 100, 400)))]


def hurt(function: ast.FunctionDef, tree: ast.Module, source: random.Random) -> None:
    """What a user's slip may leave."""
    count = sum(1 for _ in ast.walk(function))
    decorators, function.decorator_list = function.decorator_list, []
    defaults, function.args.defaults = function.args.defaults, []
    mutations.Damage(source.randrange(1, count), source).visit(function)
    function.decorator_list, function.args.defaults = decorators, defaults


DAMAGES: tuple[Callable[[ast.FunctionDef, ast.Module, random.Random], None], ...] = (
    graft, graft, shuffle, shuffle, renumber, deepen, lengthen, hurt, hurt, hurt,
)  # fmt: skip


def damage(text: str, source: random.Random) -> tuple[str, str] | None:
    """The module's text with one to three changes in one function, and the function's name; None for no Python."""
    tree = ast.parse(text)
    function = source.choice(functions_of(tree))
    try:
        for _ in range(source.randint(1, 3)):
            source.choice(DAMAGES)(function, tree, source)
        for node in ast.walk(tree):
            if isinstance(node, (ast.If, ast.For, ast.While, ast.FunctionDef)) and not node.body:
                node.body = [ast.Pass()]
        changed = ast.unparse(ast.fix_missing_locations(tree))
    except (ValueError, RecursionError):
        return None
    return (tear(changed, source) if source.random() < 0.25 else changed), function.name


def tear(text: str, source: random.Random) -> str:
    """The text with a token gone, twice, or in another's place."""
    try:
        tokens = [t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.string.strip()]
    except (tokenize.TokenError, SyntaxError):
        return text
    one, other = source.choice(tokens), source.choice(tokens)
    lines = text.splitlines(keepends=True)
    line = lines[one.start[0] - 1]
    new = source.choice(("", one.string * 2, other.string))
    lines[one.start[0] - 1] = line[: one.start[1]] + new + line[one.start[1] + len(one.string) :]
    return "".join(lines)


def rename(text: str, source: random.Random) -> tuple[str, str]:
    """The module with the local names of one function, and now and then its own name, made weird. It means the same."""
    tree = ast.parse(text)
    function = source.choice(functions_of(tree))
    own = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)} - {"self"}
    own |= {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} | {"gp", "np"} | own
    fresh = source.sample([name for name in WEIRD_NAMES if name not in used], min(len(own), 40))
    new = dict(zip(sorted(own), fresh, strict=False))
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            node.id = new.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = new.get(node.arg, node.arg)
        elif isinstance(node, ast.keyword) and isinstance(node.arg, str):
            pass  # keywords of calls name the parameters of others
    return ast.unparse(tree), function.name


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
