"""docs/coming-from.md has the tables of words that messages are made from. --update-golden writes them."""

from __future__ import annotations

import re

import pytest
from page_programs import ROOT

from gpucore.front.text.foreign import ADVICE, EXPRESSIONS
from gpucore.host_words import OUTSIDE

PAGE = ROOT / "docs" / "coming-from.md"
CODE = re.compile(
    r"`[^`]+`|@?\bgp\.\w+(?:\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\])?(?: \* gp\.\w+\(\w+\))?|print\(\.\.\.\)|range\(n\)"
    r"|\bmath\.\w+|a \* b(?: \+ c)?|x\[i\](?: = v)?"
)


def rows_in_kernels() -> list[str]:
    """A line for each thing to write, in the order of the data, with the words that it replaces."""
    words: dict[str, list[str]] = {}
    for word, ours in (EXPRESSIONS | ADVICE).items():
        words.setdefault(ours, []).append(word)
    return [f"| {', '.join(f'`{word}`' for word in theirs)} | {_shown(ours)} |" for ours, theirs in words.items()]


def rows_outside() -> list[str]:
    """The same for the words outside kernels. What to write is code, or has code in backquotes."""
    words: dict[str, list[str]] = {}
    for word, ours in OUTSIDE.items():
        words.setdefault(ours if "`" in ours or ":" in ours else f"`{ours}`", []).append(word)
    lines = []
    for ours, theirs in words.items():
        name = theirs[0].partition("(")[0].rpartition(".")[2]
        lines.append(f"| {', '.join(f'`{word}`' for word in theirs)} | {ours.replace('{word}', name)} |")
    return lines


def _shown(ours: str) -> str:
    """The text with its code marked as code."""
    return CODE.sub(lambda found: "`" + found[0].strip("`") + "`", ours)


TABLES = {"## In kernels\n": rows_in_kernels(), "## Outside kernels\n": rows_outside()}


@pytest.mark.parametrize("head", TABLES)
def test_the_page_has_the_table(update_golden: bool, head: str) -> None:
    before, found_head, section = PAGE.read_text(encoding="utf-8").partition(head)
    text, line, rest = section.partition("|---|---|\n")
    assert found_head and line
    table = rest[: len(rest) - len(re.sub(r"\A(?:\|.*\n)*", "", rest))]
    if update_golden:
        new = "".join(f"{row}\n" for row in TABLES[head])
        PAGE.write_text(before + head + text + line + new + rest.removeprefix(table), encoding="utf-8")
        table = new
    assert table.splitlines() == TABLES[head]


def test_every_word_is_shown_as_it_is_typed() -> None:
    for rows, words in ((rows_in_kernels(), EXPRESSIONS | ADVICE), (rows_outside(), OUTSIDE)):
        shown = [word for row in rows for word in re.findall(r"`([^`]+)`", row.split(" | ")[0])]
        assert sorted(shown) == sorted(words)
