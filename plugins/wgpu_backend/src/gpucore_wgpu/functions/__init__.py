"""Functions that generated WGSL carries with it: see `table`."""
