"""The text that each backend gets for a dozen kernels, kept in `expected`: a change shows there, and is the review.

Nothing here needs a GPU, a driver or a device.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import golden_kernels
import pytest

HERE = Path(__file__).parent
EXPECTED = HERE / "expected"
EXTENSIONS = {"ir": "ir", "wgsl": "wgsl", "cuda": "cu", "opencl": "cl", "llvm": "ll", "python": "py"}
"""Language -> extension of its files."""


@pytest.mark.parametrize("language", EXTENSIONS)
@pytest.mark.parametrize("name", golden_kernels.CASES)
def test_text_is_as_expected(name: str, language: str, update_golden: bool) -> None:
    text, path = golden_kernels.text(name, language), EXPECTED / f"{name}.{EXTENSIONS[language]}"
    if update_golden:
        path.write_text(text)
    assert path.exists(), "write it with pytest tests/golden --update-golden"
    assert text == path.read_text()


WITH_MATRICES = EXPECTED / "cooperative_product.wgsl"


def test_text_for_a_device_with_cooperative_matrices(update_golden: bool) -> None:
    text = golden_kernels.text_with_matrices()
    if update_golden:
        WITH_MATRICES.write_text(text)
    assert text == WITH_MATRICES.read_text()


def test_every_expected_file_belongs_to_a_kernel() -> None:
    wanted = {f"{name}.{extension}" for name in golden_kernels.CASES for extension in EXTENSIONS.values()}
    assert {path.name for path in EXPECTED.iterdir()} == wanted | {WITH_MATRICES.name}


_EMIT_ALL = """
import json, sys
import golden_kernels
languages = sys.argv[1:]
found = {f"{name}.{language}": golden_kernels.text(name, language)
         for language in reversed(languages) for name in reversed(golden_kernels.CASES)}
assert not {"wgpu", "pyopencl", "pycuda", "llvmlite"} & set(sys.modules), "emission imported a driver"
print(json.dumps(found))
"""


def test_text_depends_on_nothing_but_the_kernel(tmp_path: Path) -> None:
    """Another process, folder, order and hash seed give the same, and no driver is imported on the way."""
    shutil.copy(HERE / "golden_kernels.py", tmp_path)
    environment = {**os.environ, "PYTHONHASHSEED": "12345", "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    run = subprocess.run(
        [sys.executable, "-c", _EMIT_ALL, *EXTENSIONS], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    texts = json.loads(run.stdout)
    assert len(texts) == len(golden_kernels.CASES) * len(EXTENSIONS)
    for key, text in texts.items():
        name, _, language = key.partition(".")
        assert text == (EXPECTED / f"{name}.{EXTENSIONS[language]}").read_text(), key
