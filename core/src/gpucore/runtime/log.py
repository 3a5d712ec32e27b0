"""Logging under the name "gpucore", and warnings.

Without an import of `logging` in the program there is no handler to show anything, so it is not imported here. That
import would take a tenth of the time allowed for `import gpucore`.
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
    """Issue a warning that points at the nearest caller outside gpucore."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "gpucore":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
