"""docs/coming-from.md has the table of words that the compiler's messages are made from. --update-golden writes it."""

from __future__ import annotations

import re

from page_programs import ROOT

from gpucore.front.text.foreign import ADVICE, EXPRESSIONS

PAGE = ROOT / "docs" / "coming-from.md"
HEAD = "## In kernels\n"
CODE = re.compile(
    r"`[^`]+`|@?\bgp\.\w+(?:\((?:[^()]|\([^()]*\))*\)|\[[^\]]*\])?(?: \* gp\.\w+\(\w+\))?|print\(\.\.\.\)|range\(n\)"
    r"|\bmath\.\w+|a \* b(?: \+ c)?|x\[i\](?: = v)?"
)


def rows() -> list[str]:
    """A line for each thing to write, in the order of the data, with the words that it replaces."""
    words: dict[str, list[str]] = {}
    for word, ours in (EXPRESSIONS | ADVICE).items():
        words.setdefault(ours, []).append(word)
    return [f"| {', '.join(f'`{word}`' for word in theirs)} | {_shown(ours)} |" for ours, theirs in words.items()]


def _shown(ours: str) -> str:
    """The text with its code marked as code."""
    return CODE.sub(lambda found: "`" + found[0].strip("`") + "`", ours)


def test_the_page_has_the_table(update_golden: bool) -> None:
    before, head, table = PAGE.read_text(encoding="utf-8").partition(HEAD)
    text, line, found = table.partition("|---|---|\n")
    assert head and line
    if update_golden:
        found = "".join(f"{row}\n" for row in rows())
        PAGE.write_text(before + head + text + line + found, encoding="utf-8")
    assert found.splitlines() == rows()


def test_every_word_is_shown_as_it_is_typed() -> None:
    shown = [word for row in rows() for word in re.findall(r"`([^`]+)`", row.split(" | ")[0])]
    assert sorted(shown) == sorted(EXPRESSIONS | ADVICE)
