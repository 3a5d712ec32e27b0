"""A page in a browser, in which tests run the TypeScript runtime, and the files that it loads."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from browser import Browser

import gpucore as gp
from gpucore.compiler import Target
from gpucore.offline.descriptions import describe
from gpucore.offline.specialisations import Specialisation
from gpucore.offline.targets import find_target

_HOLDERS = {
    "Int8Array": np.int8, "Uint8Array": np.uint8, "Int16Array": np.int16, "Uint16Array": np.uint16,
    "Int32Array": np.int32, "Uint32Array": np.uint32, "BigInt64Array": np.int64, "BigUint64Array": np.uint64,
    "Float32Array": np.float32, "Float64Array": np.float64, "Float16Array": np.float16, "ArrayBuffer": np.uint8,
}  # fmt: skip


# An opened device of its own, and `alive()`, the number of buffers that were made on it and not destroyed.
OWN_DEVICE = """
    const own = await gpucore.openDevice();
    const buffers = [];
    const create = own.gpu.createBuffer.bind(own.gpu);
    own.gpu.createBuffer = (descriptor) => {
      const buffer = create(descriptor);
      const destroy = buffer.destroy.bind(buffer);
      buffers.push(buffer);
      buffer.destroy = () => { if (buffers.includes(buffer)) buffers.splice(buffers.indexOf(buffer), 1); destroy(); };
      return buffer;
    };
    const alive = () => buffers.length;
"""


class PageError(Exception):
    """An error that the runtime threw in the page."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        self.name, self.message, self.kind = error["name"], error["message"], error["kind"]
        self.place, self.printed = error["place"], error["printed"]
        super().__init__(f"{self.name}: {self.message}\n{error['stack']}")


class WebPage:
    """The page. `run` executes JavaScript in it."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self._browser = browser
        self._manifests = folder / "manifests"
        self._manifests.mkdir()
        self.features: list[str] = browser.evaluate("window.opened()")["features"]

    def keep(self, manifest: Mapping[str, Any]) -> str:
        """The key of a manifest, which the page can load then."""
        text = json.dumps(manifest)
        key = hashlib.sha256(text.encode()).hexdigest()[:16]
        (self._manifests / f"{key}.json").write_text(text)
        return key

    def run(self, code: str, manifest: Mapping[str, Any] | None = None, **values: Any) -> Any:
        """What the code, the body of an async function, returns. It has `gpucore`, `device`, the `module` of the
        manifest, the lines `printed`, and the values by name. Raises PageError for what it throws."""
        key = "" if manifest is None else self.keep(manifest)
        answer = self._browser.evaluate(
            "([key, code, names, values]) => window.runTest(key, code, names, values)",
            [key, code, list(values), [_encoded(value) for value in values.values()]],
        )
        if "error" in answer:
            raise PageError(answer["error"])
        return _decoded(answer["result"])


def _encoded(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return {"base64": base64.b64encode(np.ascontiguousarray(value).tobytes()).decode(), "dtype": value.dtype.name}
    if isinstance(value, int) and abs(value) >= 2**53:
        return {"bigint": str(value)}
    return value


def _decoded(value: Any) -> Any:
    if isinstance(value, list):
        return [_decoded(each) for each in value]
    if not isinstance(value, dict):
        return value
    if "base64" in value:
        return np.frombuffer(base64.b64decode(value["base64"]), _HOLDERS[value["holder"]])
    if "bigint" in value:
        return int(value["bigint"])
    return {key: _decoded(each) for key, each in value.items()}


# ---------------------------------------------------------------- manifests


def web_target() -> Target:
    """The target of pages."""
    return find_target("web")


def describe_kernel(kernel: gp.Kernel, **bindings: Any) -> tuple[str, dict[str, Any]]:
    """The name and the description of a kernel in a manifest."""
    wanted = Specialisation(kernel, bindings)
    description = describe(wanted, web_target())
    return wanted.name, json.loads(json.dumps(description))


def make_manifest(*kernels: gp.Kernel | tuple[str, dict[str, Any]], **parts: Any) -> dict[str, Any]:
    """A manifest with these kernels, or what `describe_kernel` returned, and other parts of it."""
    described = [each if isinstance(each, tuple) else describe_kernel(each) for each in kernels]
    return {"format": "gpucore-page", "version": 1, "gpucore": gp.__version__, "kernels": dict(described), **parts}
