"""`gp.profile`: what runs on devices, for how long, and what the host does meanwhile."""

from __future__ import annotations

from gpucore.profile.results import ProfileRow
from gpucore.profile.session import Profile, profile

__all__ = ["Profile", "ProfileRow", "profile"]
