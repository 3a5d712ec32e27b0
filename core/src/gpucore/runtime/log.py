"""Logging under the name "gpucore", silent where the program sets up no logging.

A program that never imported `logging` has no handler that could show anything, so the module is not imported for its
sake: that would be a tenth of the time that `import gpucore` may take.
"""

from __future__ import annotations

import sys


def debug(message: str) -> None:
    """Log at level DEBUG."""
    logging = sys.modules.get("logging")
    if logging is not None:
        logging.getLogger("gpucore").debug(message)
