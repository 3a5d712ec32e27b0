"""Lets the tests of this folder import the modules next to them, and the browser of tests/web."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[1] / "web"))
