"""Logging under the name "gpucore", silent where the program sets up no logging; and warnings.

A program that never imported `logging` has no handler that could show anything, so the module is not imported for its
sake: that would be a tenth of the time that `import gpucore` may take.
"""

from __future__ import annotations

import sys
import warnings


def debug(message: str) -> None:
    """Log at level DEBUG."""
    logging = sys.modules.get("logging")
    if logging is not None:
        logging.getLogger("gpucore").debug(message)


def warn(message: str, category: type[Warning]) -> None:
    """Give a warning that names the first line outside gpucore of those that led here."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "gpucore":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
