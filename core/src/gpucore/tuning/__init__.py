"""Choosing by measuring: the fastest of several ways to do the same, each with a right result.

tune      `gp.tune`: candidates of the user's own; `judging`: whether an output is right, `results`: what was found
tables    the shapes of gpucore's own algorithms, in `steps` that are tuned one after the other; `workloads`: what is
          measured and checked in them; `documents`: files of tables
rounds    timing, also that of the benchmarks
"""

from __future__ import annotations
