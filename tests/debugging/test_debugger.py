"""At pdb's prompt in a kernel on the simulator, arrays are what the user wrote: shapes, indices, no padding."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import numpy as np
import gpucore as gp


@gp.struct
class Size:
    width: gp.i32
    edges: gp.f32x2


@gp.struct
class Sample:
    weight: gp.f32
    place: gp.f32x2
    size: Size


@gp.kernel(workgroup_size=(4, 4))
def turn(x: gp.In[gp.f32, 2], y: gp.Out[gp.f32, 2], v: gp.In[gp.f32x2], s: gp.InOut[Sample],
         unused: gp.In[gp.f32], k: gp.f32):
    column, row = gp.global_id(0), gp.global_id(1)
    if row < y.shape[0] and column < y.shape[1]:
        if row == 1 and column == 2:
            breakpoint()
            y[row, column] = x[column, row] + v[1].y * k
            s[1].weight = s[0].size.edges.y + s[0].place.x
            s[1].size.width = s[0].size.width
            y[1, 3] = s[1].weight


memory = gp.asarray(np.arange(40, dtype=np.float32), device="simulator")
x, y = memory[7:22].reshape(5, 3), gp.zeros((3, 5), device="simulator")
v = gp.asarray(np.arange(6, dtype=np.float32).reshape(3, 2), gp.f32x2, device="simulator")
s = gp.asarray(np.zeros(2, Sample.dtype), Sample, device="simulator")
turn(x, y, v, s, gp.zeros(3, device="simulator"), 10.0, invocations=y)
print("result", y[1, 2], y[0, 0], s.numpy()[1])
"""

COMMANDS = {
    "p x.shape, x.size, x.ndim, len(x), x.dtype": "((5, 3), 15, 2, 5, 'gpucore.f32')",
    "p float(x[2, 1]), float(x[row, column])": "(14.0, 12.0)",
    "p x[5, 0]": "index (5, 0) is out of range for 'x' of shape (5, 3)",
    "p x[-1, 0]": "index (-1, 0) is out of range for 'x' of shape (5, 3)",
    "p x[3]": "'x' has 2 axes, and this is 1 indices",
    "p v.shape, [float(c) for c in v[1]]": "((3,), [2.0, 3.0])",
    "p v[3]": "index 3 is out of range for 'v' of length 3",
    "p len(s), s[0]": "(2, Sample(weight=0.0, place=(0.0, 0.0), size=Size(width=0, edges=(0.0, 0.0))))",
    "!s[0].place = (3, 4)": "",
    "!s[0].size.edges.y = 5": "",
    "!s[0].size.width = 7": "",
    "p float(s[0].weight), float(s[0].place.x), s[0].size.width, s[0].size.edges": "(0.0, 3.0, 7, (0.0, 5.0))",
    "p s[0].height": "Sample has no field 'height'; it has weight, place, size",
    "p v[1].z": "a vector of 2 components has no 'z'",
    "p [float(each.y) for each in v], v[2]": "([1.0, 3.0, 5.0], (4.0, 5.0))",
    "p unused[0]": "the shape of 'unused' is not known, because the kernel does not use it",
    "p unused": "<unused: its shape is not used by the kernel>",
    "p x": "<x: shape (5, 3), gpucore.f32, [[ 7.  8.  9.]",
    "p v.tolist()": "[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]",
    "p gp.f32(2.5).dtype": "dtype('float32')",
    "p row, column, k": "(1, 2, np.float32(10.0))",
    "!y[0, 0] = 5": "",
    "p float(y[0, 0])": "5.0",
    "n": "",
    "p float(y[1, 2])": "44.0",
    "!s[1] = s[0]": "",
    "p s[1].size": "Size(width=7, edges=(0.0, 5.0))",
    "c": "result 44.0 5.0 (8.0, [3.0, 4.0], (7, [0.0, 5.0]))",
}


def test_arrays_at_the_prompt(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        input="".join(f"{command}\n" for command in COMMANDS),
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONBREAKPOINT": "pdb.set_trace"},
    )
    assert done.returncode == 0, done.stderr
    rest = done.stdout
    for command, expected in COMMANDS.items():
        assert expected in rest, (command, rest)
        rest = rest[rest.index(expected) + len(expected) :]
