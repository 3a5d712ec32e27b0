"""The text of an expression with its precedence."""

from __future__ import annotations

from gpucore.immutable import Immutable

PRIMARY = 14
UNARY = 13  # casts too
MULTIPLY = 12
ADD = 11
SHIFT = 10
RELATION = 9
EQUALITY = 8
BIT_AND = 7
BIT_XOR = 6
BIT_OR = 5
AND = 4
OR = 3
CONDITIONAL = 2

PRECEDENCE = {
    "*": MULTIPLY, "/": MULTIPLY, "%": MULTIPLY, "+": ADD, "-": ADD, "<<": SHIFT, ">>": SHIFT, "<": RELATION,
    "<=": RELATION, ">": RELATION, ">=": RELATION, "==": EQUALITY, "!=": EQUALITY, "&": BIT_AND, "^": BIT_XOR,
    "|": BIT_OR, "&&": AND, "||": OR,
}  # fmt: skip


class Term(Immutable):
    text: str
    precedence: int = PRIMARY

    def at(self, precedence: int) -> str:
        """The text, in parentheses if it binds less tightly than `precedence`."""
        return self.text if self.precedence >= precedence else f"({self.text})"


def infix(left: Term, symbol: str, right: Term) -> Term:
    """`left symbol right`, grouped as in the tree: a right operand of the same precedence keeps its parentheses."""
    own = PRECEDENCE[symbol]
    # The precedence of these is easily misread, and compilers warn.
    floor = UNARY if symbol in ("<<", ">>", "&", "|", "^") else AND + 1 if symbol == "||" else own
    return Term(f"{left.at(floor)} {symbol} {right.at(max(own + 1, floor))}", own)


def prefix(symbol: str, operand: Term) -> Term:
    """A unary operator. Two signs in a row would be read as one token, so the operand is parenthesised then."""
    text = operand.at(UNARY)
    return Term(f"{symbol}({text})" if text.startswith(symbol) else symbol + text, UNARY)


def cast(type_name: str, operand: Term) -> Term:
    return Term(f"({type_name}){operand.at(UNARY)}", UNARY)


def conditional(condition: Term, if_true: Term, if_false: Term) -> Term:
    parts = (condition.at(CONDITIONAL + 1), if_true.at(CONDITIONAL + 1), if_false.at(CONDITIONAL + 1))
    return Term("{} ? {} : {}".format(*parts), CONDITIONAL)
