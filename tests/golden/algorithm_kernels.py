"""Every kernel of gpucore.algorithms in every specialisation that sort and matmul can ask for."""

from __future__ import annotations

from typing import Any

import gpucore as gp
from gpucore.algorithms import matmul as _matmul  # noqa: F401  (its module is what is needed below)
from gpucore.algorithms.matmul import LARGE, SMALL, ladder
