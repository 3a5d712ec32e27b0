"""Random damage to a syntax tree: the kind of text that a user's slip, or a broken merge, may leave."""

from __future__ import annotations

import ast
import copy
import random

EXPRESSIONS = [
    "x", "y", "i", "n", "a", "p", "v", "b", "T", "LIMIT", "PAIR", "TABLE", "HUGE", "Mode", "Mode.FAST", "Params",
    "None", "True", "'text'", "1.5", "-3", "0", "10**30", "1e400", "...", "(1, 2)", "[1, 2]", "{}", "{1}", "lambda: 0",
    "f'{i}'", "[k for k in x]", "x[0]", "x[i, i]", "x[-1]", "x[1:2]", "x[1.5]", "x[x]", "x.size", "x.shape",
    "x.shape[0]", "x.nope", "i.x", "v.xyz", "gp", "gp.f32", "gp.f32(i)", "gp.i32(1e9)", "gp.u32(-1)", "gp.barrier()",
    "gp.global_id()", "gp.global_id(3)", "gp.private_array(gp.f32, 3)", "gp.private_array(gp.f32, i)",
    "gp.workgroup_array(gp.i32, 4)", "gp.static(LIMIT + 1)", "gp.static(i)", "gp.static(undefined)",
    "gp.unroll(range(3))", "range(3)", "len(x)", "len(5)", "len(PAIR)", "int(i)", "float(LIMIT)", "int(1e400)",
    "abs(i)", "min(i, 2)", "min(1, 2.5, a)", "max()", "sum(x)", "print(i)", "breakpoint()", "open('f')", "math.pi",
    "math.sqrt(2)", "math.hypot(3, 4)", "np.sin(a)", "np.int32(4)", "clamp(i)", "clamp()", "clamp(i, high=x)",
    "clamp(*PAIR)", "ordered(i, i)", "ordered(x, y)", "find(x, 1)", "find(find, find)", "integers(x)", "Params(1.0, 2)",
    "Params(alpha=1.0)", "Params(1.0, 2, 3)", "p.alpha", "p.nope", "p.scaled(1.0)", "i if i > 0 else None",
    "x if i > 0 else y", "(i, a) if i > 0 else (2, a)", "(i, x) if i > 0 else (2, y)", "PAIR if i > 0 else (i, 1, 2)",
    "i and 1", "i > 0 and x", "not i", "not x", "-x", "~1.5", "~True", "i @ i", "i ** 2", "2 ** i",
    "i ** 20", "1 << i", "i << 40", "i << -1", "i / 2", "i // 0", "1 // 0", "1 % 0", "0 ** -1", "(-8) ** 0.5",
    "HUGE * HUGE", "HUGE ** HUGE", "i is None", "x is None", "i is i", "i in PAIR", "3 in PAIR", "3 in 4",
    "gp.f32 is gp.i32", "gp.f32 == 3", "1 < 'a'", "i < x", "i == x", "x == y", "(1, 2) == (1, 2)", "i < 1 < 2.5",
    "await_", "(i := 3)", "gp.f32x4(1)", "gp.f32x4(1, 2)", "gp.f32x4(v[0], 1)", "gp.f32x4()", "gp.atomic_add(x, 0, 1)",
    "gp.atomic_add(y, 0, 1)", "gp.atomic_add(count, 0)", "gp.atomic_store(y, 0, 1)", "gp.select(1, 2, 3)",
    "gp.select(i > 0, 1, 2.0)", "gp.bitcast(gp.u64, i)", "gp.bitcast(i, i)", "gp.max_value(i)", "gp.max_value(bool)",
    "gp.zeros(3)", "gp.sort(x)", "gp.sqrt(i)", "gp.popcount(a)", "gp.dot(i, i)", "gp.i64(i)", "gp.f64(a)", "bool(i)",
    "isinstance(i, int)", "type(i)", "str(i)", "__name__", "__debug__", "SMALL", "SMALL + 0.5", "SMALL << 33",
]  # fmt: skip
STATEMENTS = [
    "pass", "return", "return 1", "return i, 2", "break", "continue", "i", "i = 1.5", "i = x", "i = None", "i += 1",
    "i += 1.5", "x = y", "y = 3", "x += 1", "x[0] = 1", "y[0] = 'a'", "y[0], i = i, 2", "i, j = 1", "i, *j = PAIR",
    "[i, j] = 1, 2", "i = j = x[0]", "unassigned += 1", "y[unassigned] = 1", "del i", "assert i > 0",
    "raise ValueError", "import math", "global LIMIT", "with open('f') as f: pass",
    "try:\n    i = 1\nfinally:\n    pass", "def inner(): pass", "class Inner: pass", "for q in x: pass",
    "for q in range(x): pass", "for q in range(1.5): pass", "for q in range(): pass", "for q in range(0, 10, i): pass",
    "for q in range(0, 5, 0): pass", "for q, r in range(3): pass", "for q in gp.unroll(range(i)): pass",
    "for q in gp.unroll(range(100000)): pass", "for q in gp.unroll(5): pass", "for q in gp.unroll(Mode): y[0] += q",
    "for q, r in gp.unroll((1, 2)): pass", "for q in gp.unroll(TABLE): pass",
    "for q in range(3):\n    pass\nelse:\n    pass", "while i: pass", "while True: break", "while i < 3: i += 1",
    "while True:\n    if i > 3: return\n    i += 1", "if i: pass", "if x: pass", "if None: pass", "if i > 0: return",
    "match i:\n    case 1: pass", "x: int = 3", "z: gp.f32 = 0", "z: gp.f32", "z: gp.i32 = 1.5", "gp.barrier()",
    "gp.nope()", "gp.workgroup_array(gp.f32, 99999999999)", "print('a', i, end='')", "p.alpha = 1.0", "v[0].x = 1.0",
    "i.x = 1", "x.size = 3", "gp.f32 = 3", "clamp = clamp(i)", "x = clamp(x)", "if i > 0: z = 1\ny[0] = z",
    "LIMIT = LIMIT + 1", "nonlocal_ = i",
]  # fmt: skip


class Damage(ast.NodeTransformer):
    """Changes the node whose number, in order of the walk, is `target`."""

    def __init__(self, target: int, source: random.Random) -> None:
        self.target, self.random, self.number = target, source, -1

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt] | None:
        if isinstance(node, (ast.expr, ast.stmt, ast.operator, ast.cmpop, ast.unaryop, ast.boolop, ast.arg)):
            self.number += 1
            if self.number == self.target:
                return self._damaged(node)
        return node if isinstance(node, ast.arg) else self.generic_visit(node)

    def _damaged(self, node: ast.AST) -> ast.AST | list[ast.stmt] | None:
        choose = self.random.choice
        if isinstance(node, ast.operator):
            operators = [ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift]
            return choose([*operators, ast.BitOr, ast.BitXor, ast.BitAnd, ast.MatMult])()
        if isinstance(node, ast.cmpop):
            return choose([ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.Is, ast.IsNot, ast.In, ast.NotIn])()
        if isinstance(node, ast.unaryop):
            return choose([ast.USub, ast.UAdd, ast.Not, ast.Invert])()
        if isinstance(node, ast.boolop):
            return choose([ast.And, ast.Or])()
        if isinstance(node, ast.arg):
            annotation = choose(
                ["int", "float", "gp.In", "gp.In[gp.f32, 3]", "gp.In[gp.bool]", "nope", "gp.f32x4", "T"]
            )
            node.annotation = ast.parse(annotation).body[0].value  # type: ignore[attr-defined]
            return node
        if isinstance(node, ast.stmt):
            new = ast.parse(choose(STATEMENTS)).body
            return (
                choose([new, [*new, node], [node, *new], [], [node, copy.deepcopy(node)]])
                if not isinstance(node, ast.FunctionDef)
                else node
            )
        if isinstance(node, ast.Name) and self.random.random() < 0.3:
            return ast.Name(choose(["undefined", "x", "y", "i", "gp", "LIMIT", "find"]), node.ctx)
        return ast.parse(choose(EXPRESSIONS), mode="eval").body


def damage(tree: ast.Module, function: str, source: random.Random) -> ast.Module:
    """A copy of the module with one to three changes in one of its functions."""
    changed = copy.deepcopy(tree)
    for position, node in enumerate(changed.body):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            decorators, node.decorator_list = node.decorator_list, []
            defaults, node.args.defaults = node.args.defaults, []  # Python evaluates them before any compiler
            for _ in range(source.randint(1, 3)):
                count = sum(1 for _ in ast.walk(node))
                Damage(source.randrange(1, count), source).visit(node)
            node.decorator_list, node.args.defaults, node.body = decorators, defaults, node.body or [ast.Pass()]
            changed.body[position] = node
    for node in ast.walk(changed):
        if isinstance(node, (ast.If, ast.For, ast.While, ast.FunctionDef)) and not node.body:
            node.body = [ast.Pass()]
    return ast.fix_missing_locations(changed)
