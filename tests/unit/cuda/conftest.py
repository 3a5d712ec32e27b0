"""Lets these tests import the kernels that the tests of the C family build by hand."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "c_family"))
