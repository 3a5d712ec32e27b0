"""The version of core. Read here and not from metadata, which a zipapp or a source tree on PYTHONPATH lacks."""

from __future__ import annotations

__version__ = "0.1.0"
