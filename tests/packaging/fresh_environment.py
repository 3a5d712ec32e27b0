"""A virtual environment that has the dependencies of this one, or nothing, but not gpucore and its plugins."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path


class Environment:
    """The environment, and what can be done in it. Nothing reaches a network, but pip where a test lets it."""

    def __init__(self, folder: Path, *, is_empty: bool = False, python: Path | None = None) -> None:
        """`python`: another interpreter than this one, which cannot have what is installed here: it is empty, too."""
        if python is None:
            venv.create(folder, with_pip=False, symlinks=os.name != "nt")
        else:
            subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
        programs = folder / ("Scripts" if os.name == "nt" else "bin")
        self.python = programs / "python"
        self.command = programs / "gpucore"
        if not is_empty and python is None:
            self._link_dependencies(folder)

    def _link_dependencies(self, folder: Path) -> None:
        """All that is installed here, save gpucore and its plugins, whose metadata must not be found."""
        links = folder / "dependencies"
        links.mkdir()
        for site in {Path(sysconfig.get_path(kind)) for kind in ("purelib", "platlib")}:
            for entry in site.iterdir():
                is_ours = entry.name.lstrip("_").startswith(("gpucore", "editable_"))
                if (
                    not is_ours
                    and entry.suffix != ".pth"
                    and entry.name != "__pycache__"
                    and not (links / entry.name).exists()
                ):
                    (links / entry.name).symlink_to(entry)
        inner = self.run("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
        (Path(inner) / "dependencies.pth").write_text(f"{links}\n")

    def run(self, *arguments: str) -> str:
        """What Python prints there. Fails with what it says."""
        return self.call(str(self.python), *arguments)

    def call(self, *command: str) -> str:
        """What a command prints there."""
        outside = {"PYTHONPATH", "PYTHONHOME", "GPUCORE_BACKEND", "GPUCORE_BLOCK"}
        environment = {name: value for name, value in os.environ.items() if name not in outside}
        run = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=self.python.parent)
        assert run.returncode == 0, run.stdout + run.stderr
        return run.stdout

    def pip(self, *arguments: str) -> str:
        """This environment's pip, working there. Returns what it prints."""
        pip = (sys.executable, "-m", "pip", "--python", str(self.python), "--disable-pip-version-check")
        return self.call(*pip, *arguments)

    def probe(self) -> dict[str, str]:
        """Name of each installed backend -> its status there."""
        statuses = "{name: result.status.value for _, name, result in gp.probe()}"
        code = f"import gpucore as gp, json; print(json.dumps({statuses}))"
        found: dict[str, str] = json.loads(self.run("-c", code))
        return found
