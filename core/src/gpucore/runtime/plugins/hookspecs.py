"""The one hook that a plugin implements."""

from __future__ import annotations

from collections.abc import Iterable

import pluggy

from gpucore.runtime.protocol import Backend

PROJECT = "gpucore"
ENTRY_POINT_GROUP = "gpucore.backends"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


class HookSpecs:
    """Name space of the specification."""

    @hookspec
    def gpucore_backends(self) -> Iterable[Backend]:
        """Return this plugin's backends. MUST be fast and import no driver: probing does that, later."""
        raise AssertionError("a hook specification is never called")
