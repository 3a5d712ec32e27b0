"""The Python on a page of the documentation: all its blocks are one program, and a text block shows what one prints."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)
_PLACE = re.compile(r"\bprogram\.py:\d+:\d+")
_LINE = re.compile(r"^ *\d* \| ?", re.MULTILINE)
_MARK = "-- end of a block --"


@dataclass(frozen=True)
class Block:
    """A block of Python, and what stands under it as its output; None where nothing does."""

    code: str
    shown: str | None


def blocks_of(page: Path) -> list[Block]:
    """The blocks of Python on a page, in order."""
    return [Block(code, shown or None) for code, shown in _BLOCK.findall(page.read_text(encoding="utf-8"))]


def text_of(page: Path) -> str:
    """The Markdown of a page or a notebook."""
    text = page.read_text(encoding="utf-8")
    if page.suffix != ".ipynb":
        return text
    return "\n\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")


def outputs_of(code: list[str], backend: str, folder: Path) -> list[str]:
    """What each block prints when they run as one program on a backend."""
    program = "".join(f'{block}\nprint("{_MARK}")\n' for block in code)
    if "from __future__" in program:
        program = "from __future__ import annotations\n" + program.replace("from __future__ import annotations\n", "")
    (folder / "program.py").write_text(program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "GPUCORE_BACKEND": backend},
    )
    assert done.returncode == 0, done.stderr
    parts = done.stdout.replace(f"{folder}{os.sep}", "").split(f"{_MARK}\n")
    assert parts.pop() == ""
    return parts


def without_lines(text: str) -> str:
    """A text without the numbers of lines in errors: blocks stand further down in the program than on the page."""
    return _LINE.sub(" | ", _PLACE.sub("program.py", text))
