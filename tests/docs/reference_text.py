"""Signatures, docstrings and members of public names as Markdown, for docs/reference.md."""

from __future__ import annotations

import ast
import inspect
import io
import re
import textwrap
import tokenize
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import gpucore
from gpucore.host import as_in_kernels

_WIDTH = 100
_STUBS = Path(gpucore.__file__).with_name("calls.pyi")
_CODE = re.compile(r"(`[^`]*`)")
_SHORTER = {
    r"npt\.NDArray\[Any\]": "np.ndarray",
    r"\bRow\b": "tuple[PluginRecord, str, ProbeResult]",
    r"\bAxes\b": "tuple[int, int, int]",
    r"\bfront\.": "",
    # of the stubs, which count a kernel's parameters
    r"Callable\[\[\*_Rest\], object\]": "Callable",
    r"Kernel\[\*_Rest,?\]": "Kernel",
    r"\b_Decorator\b": "Callable[[Callable], Kernel]",
    r"\b_(?=[A-Z]\b)": "",  # of a TypeVar
}
"""What stands on the page in the place of parts of annotations."""


# ---------------------------------------------------------------- signatures


def signatures_of(name: str, function: Callable[..., Any], width: int | None = _WIDTH) -> list[str]:
    """The calls of a function: its overloads, one for each type of a constrained TypeVar, or else one.

    Of a function that means another one in kernels, the first overload is that one's.
    """
    found = [inspect.signature(each) for each in typing.get_overloads(function)] or [_signature(function)]
    lines = [_format(name, each, width) for signature in found for each in _of_each_type(signature, function)]
    if as_in_kernels(function) is not function:
        lines = [*lines[1:], f"{lines[0]}  # in kernels"]
    return lines


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """The signature. What a context manager's function yields is the value of the `with` statement."""
    found = inspect.signature(function)
    returns = str(found.return_annotation)
    if returns.startswith("Iterator[") and hasattr(function, "__wrapped__"):
        return found.replace(return_annotation=returns.replace("Iterator[", "AbstractContextManager["))
    return found


def stub_signatures(name: str, function: str) -> list[str]:
    """The overloads of a function in `calls.pyi`, which type checkers take in place of the real ones."""
    tree = ast.parse(_STUBS.read_text(encoding="utf-8"))
    aliases = {
        target.id: ast.unparse(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return [
        _format(name, _signature_of(node, aliases))
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name == function
    ]


def _signature_of(node: ast.FunctionDef, aliases: dict[str, str]) -> inspect.Signature:
    def annotation(of: ast.expr | None) -> str:
        text = ast.unparse(of) if of is not None else "Any"
        return aliases.get(text, text).replace("'", '"')

    given = node.args
    kinds = [(inspect.Parameter.POSITIONAL_OR_KEYWORD, each) for each in given.args]
    kinds += [(inspect.Parameter.KEYWORD_ONLY, each) for each in given.kwonlyargs]
    defaults = [None] * (len(given.args) - len(given.defaults)) + [*given.defaults, *given.kw_defaults]
    return inspect.Signature(
        [
            inspect.Parameter(
                each.arg,
                kind,
                annotation=annotation(each.annotation),
                default=inspect.Parameter.empty if default is None else ast.literal_eval(default),
            )
            for (kind, each), default in zip(kinds, defaults, strict=True)
        ],
        return_annotation=annotation(node.returns),
    )


def _of_each_type(signature: inspect.Signature, function: Callable[..., Any]) -> Iterator[inspect.Signature]:
    """The signature with each of the types that the TypeVar in it may be; itself if that may be any type."""
    parameters, returns = [*signature.parameters.values()], str(signature.return_annotation)
    name = "".join(re.findall(r"^_[A-Z]$", returns))
    types = function.__globals__[name].__constraints__ if name else ()
    for plain in ["Array" if type is gpucore.Array else "npt.NDArray[Any]" for type in types]:
        chosen = [each.replace(annotation=plain) if each.annotation == name else each for each in parameters]
        yield signature.replace(parameters=chosen, return_annotation=plain)
    if not types:
        yield signature


def _format(name: str, signature: inspect.Signature, width: int | None = _WIDTH) -> str:
    """On one line, or with a line for each parameter if it is longer than `width`."""
    parts = [_parameter(each) for each in signature.parameters.values() if each.name != "self"]
    for position, marker in _markers(signature):
        parts.insert(position, marker)
    returns = signature.return_annotation
    end = "" if returns is inspect.Signature.empty else f" -> {_annotation(returns)}"
    line = f"{name}({', '.join(parts)}){end}"
    if width is None or len(line) <= width:
        return line
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){end}"])


def _markers(signature: inspect.Signature) -> list[tuple[int, str]]:
    """Where `/` and `*` stand, last first."""
    kinds = [each.kind for each in signature.parameters.values() if each.name != "self"]
    found = []
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        found.append((kinds.index(inspect.Parameter.KEYWORD_ONLY), "*"))
    if inspect.Parameter.POSITIONAL_ONLY in kinds:
        found.append((kinds.count(inspect.Parameter.POSITIONAL_ONLY), "/"))
    return found


def _parameter(parameter: inspect.Parameter) -> str:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    text = f"{stars}{parameter.name}: {_annotation(parameter.annotation)}"
    if parameter.default is inspect.Parameter.empty:
        return text
    shown = repr(parameter.default).replace("gpucore.", "gp.").replace("'", '"')
    return f"{text} = {shown}"


def _annotation(annotation: Any) -> str:
    text = str(annotation)
    for long, short in _SHORTER.items():
        text = re.sub(long, short, text)
    return text


def names_only(name: str, function: Any) -> str:
    """A call with the names of the parameters alone."""
    return f"{name}({', '.join(inspect.signature(function).parameters)})" if callable(function) else name


# ---------------------------------------------------------------- docstrings


def paragraphs_of(thing: Any, language: str = "python") -> list[str]:
    """The paragraphs of a docstring as Markdown, each on one line; what is indented is code in a language."""
    found: list[str] = []
    for part in re.split(r"\n\s*\n", inspect.getdoc(thing) or ""):
        if part.startswith("    "):
            code = textwrap.dedent(part).replace("'''", '"""')  # which docstrings cannot have
            found.append(f"```{language}\n{code}\n```")
        else:
            found.append(prose(" ".join(part.split())))
    return found


def first_line(thing: Any) -> str:
    """The first paragraph of a docstring."""
    return paragraphs_of(thing)[0]


def documentation_of(thing: Any) -> str:
    """A docstring on one line."""
    return " ".join(paragraphs_of(thing))


def prose(text: str) -> str:
    """A text whose stars are not Markdown's, with links to pages, and "Raises" where it begins with that."""
    parts = _CODE.split(text)
    for index in range(0, len(parts), 2):
        plain = re.sub(r"\bdocs/(\w+\.md)", r"[\1](\1)", parts[index].replace("*", "\\*"))
        plain = re.sub(r"\b(GPUCORE_[A-Z_]+|gp\.\w+(\.\w+)*(\(\))?)", r"`\1`", plain)
        parts[index] = re.sub(r"(?<![\w.`])(__\w+__)", r"`\1`", plain)
    return re.sub(r"^Raises\b", "**Raises**", "".join(parts))


def table(head: str, rows: list[list[str]]) -> str:
    """A table of texts, without columns that have none."""
    columns = [column for column in zip(head.split(" | "), *rows, strict=True) if any(column[1:])]
    first, *others = zip(*columns, strict=True)
    lines = [f"| {' | '.join(first)} |", "|---" * len(columns) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(text.replace("|", "\\|") for text in row) + " |" for row in others)])


# ---------------------------------------------------------------- members of classes


class Member(NamedTuple):
    """A property, field, enum member or method of a class."""

    name: str
    type: str  # of an enum member the value; "" for a method
    what: str


def members_of(cls: type) -> list[Member]:
    """The public members of a class and of gpucore's classes under it, in the order of the source."""
    found: dict[str, Member] = {}
    for owner in cls.__mro__:
        if owner.__module__.startswith("gpucore.") and not owner.__module__.endswith(".immutable"):
            for member in _own_members(owner):
                found.setdefault(member.name, member)
    return [*found.values()]


def _own_members(owner: type) -> Iterator[Member]:
    """Functions, with their docstrings, and assignments, with the string after them or the comment beside them."""
    text = textwrap.dedent(inspect.getsource(owner))
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = {token.start[0]: token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT}
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.ClassDef)
    body = [inner for each in node.body for inner in (each.body if isinstance(each, ast.If) else [each])]
    for each, following in zip(body, [*body[1:], None], strict=True):
        if isinstance(each, ast.FunctionDef):
            decorators = {ast.unparse(decorator) for decorator in each.decorator_list}
            type = ast.unparse(each.returns) if "property" in decorators and each.returns else ""
            if not each.name.startswith("_") and f"{each.name}.setter" not in decorators:
                yield Member(each.name, _annotation(type), documentation_of(inspect.getattr_static(owner, each.name)))
        elif isinstance(each, ast.AnnAssign | ast.Assign):
            target = each.target if isinstance(each, ast.AnnAssign) else each.targets[0]
            type = ast.unparse(each.annotation if isinstance(each, ast.AnnAssign) else each.value).replace("'", '"')
            is_documented = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
            what = (
                " ".join(str(following.value.value).split())
                if is_documented
                else comments.get(each.end_lineno or 0, "")
            )
            if isinstance(target, ast.Name) and not target.id.startswith("_"):
                yield Member(target.id, _annotation(type), prose(what))
