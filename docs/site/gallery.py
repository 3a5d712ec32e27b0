"""The directive `example`: what an example of the repository is, the picture that it makes, and the code of both.

A Sphinx extension. A picture is drawn when the site is built, on the device of the setting `gallery_device`: a program
in drawings/ calls the functions of the example of the same name, and draws what they return.
"""

from __future__ import annotations

import ast
import runpy
import sys
from pathlib import Path

from docutils import nodes
from drawing import drawing, to_html
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import gpucore as gp

EXAMPLES = Path(__file__).parents[2] / "examples"
DRAWINGS = Path(__file__).with_name("drawings")


class Example(SphinxDirective):
    """`{example} NAME`: examples/NAME.py."""

    required_arguments = 1
    has_content = False

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        example, drawn = EXAMPLES / f"{name}.py", DRAWINGS / f"{name}.py"
        picture = draw(drawn, self.config.gallery_device)
        parts = [nodes.paragraph("", summary_of(example)), nodes.raw("", picture, format="html")]
        for path, opened in ((drawn, "The picture"), (example, "The example")):
            self.env.note_dependency(str(path))
            parts.append(
                nodes.raw("", f'<details class="code"><summary>{opened}: {path.name}</summary>', format="html")
            )
            code = path.read_text(encoding="utf-8")
            parts.append(nodes.literal_block(code, code, language="python"))
            parts.append(nodes.raw("", "</details>", format="html"))
        return parts


def draw(program: Path, device: str) -> str:
    """What a program in drawings/ draws, as an element of a page."""
    sys.path[:0] = [str(EXAMPLES)]
    try:
        with drawing(program.stem), gp.use(device):
            runpy.run_path(str(program))
            return to_html(summary_of(program))
    finally:
        sys.path.remove(str(EXAMPLES))


def summary_of(program: Path) -> str:
    """The first paragraph of the docstring of a program."""
    text = ast.get_docstring(ast.parse(program.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split())


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_config_value("gallery_device", "cpu", "env", str)
    app.add_directive("example", Example)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
