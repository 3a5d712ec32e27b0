"""Lets the tests of this folder import `simulator_kernels`, in every import mode of pytest."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from simulator_kernels import Draft


@pytest.fixture
def draft() -> Draft:
    """An empty kernel with workgroups of one invocation."""
    return Draft()
