"""Cooperative matrices as WGSL: the text, what naga says of it, its results, and which devices have them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import wgpu
from wgpu_stand_in import StandIn, plain

import gpucore as gp
from gpucore.compiler import UNLIMITED, Target, emit_for
from gpucore.device import Device
from gpucore.ir import Capability
from gpucore.kernel import specialise_by_name
from gpucore.runtime.registry import OpenDevice
from gpucore_wgpu import adapters, cooperative, device
from gpucore_wgpu.plugin import WgpuBackend
from gpucore_wgpu.wgsl_matrices import ENABLE

NEEDED = frozenset({Capability.F16, Capability.SUBGROUP, Capability.COOPERATIVE_MATRICES})
M, N, K = 32, 32, 16


@gp.kernel(workgroup_size=64)
def product(
    A: gp.In[gp.f16, 2],  # noqa: N803 (as the roles are named)
    B: gp.In[gp.f16, 2],  # noqa: N803
    C: gp.InOut[gp.f32, 2],  # noqa: N803
    rows: gp.Out[gp.f32],
    scale: gp.f32,
):
    left, right = gp.tiles(gp.f16, 2, (M, K)), gp.tiles(gp.f16, 2, (N, K))
    row, column = gp.workgroup_id(1) * M, gp.workgroup_id(0) * N
    total = gp.load_matrix(C, row, column, (M, N))
    gp.copy_tile(left[0], A, row, 0)
    gp.copy_tile(right[0], B, column, 0)
    for step in range((A.shape[1] + K - 1) // K):
        gp.copy_wait()
        total += left[step % 2] @ right[step % 2].T
        gp.copy_tile(left[(step + 1) % 2], A, row, (step + 1) * K)
        gp.copy_tile(right[(step + 1) % 2], B, column, (step + 1) * K)
    total = gp.map(moved, total * scale - total, indices=True) + total
    found = gp.reduce_rows(gp.max, total)
    if gp.local_index() < M and row + gp.local_index() < rows.size and column == 0:
        rows[row + gp.local_index()] = found[gp.local_index()]
    gp.store_matrix(total, C, row, column)


def moved(value, row, column):
    return value + gp.f32(row) * 0.5


def emitted(edge: int = 16) -> str:
    """The text for a device that need not exist."""
    limits = dataclasses.replace(UNLIMITED, min_subgroup_size=32, max_subgroup_size=32, cooperative_edge=edge)
    target = Target(WgpuBackend(), None, NEEDED, limits, "a device with cooperative matrices")
    return emit_for(target, product.lower_for(specialise_by_name(product.name, product.signature, {}), target)).text


@pytest.fixture(scope="module")
def stand_in() -> Iterator[tuple[Device, StandIn]]:
    backend = StandIn()
    opened = backend.opened()
    if opened is None:
        pytest.skip("there is no device of wgpu with f16")
    made = Device(OpenDevice(opened, backend))
    yield made, backend
    opened.close()


def test_the_text() -> None:
    text = emitted()
    assert text.startswith(f"enable f16;\n{ENABLE}\n\n")
    assert re.search(r"let left_\d+ = coopLoadT<coop_mat16x16<f16, A>>\(&left\[left_at\w*\], 24u\);", text)
    assert re.search(r"let right_\d+ = coopLoad<coop_mat16x16<f16, B>>\(&right\[right_at\w*\], 24u\);", text)
    assert re.search(r"var total_element_\d: coop_mat16x16<f32, C> = ", text)
    assert re.search(r"let sums_\d+ = coopMultiplyAdd\(left_\d+, right_\d+, total_element_\d\);", text)
    assert re.search(r"let sums_\d+ = \w+ \* f32\(scale\);", text) and re.search(r"let sums_\d+ = \w+ - \w+;", text)


def test_the_arguments_of_a_store_are_names() -> None:
    stores = re.findall(r"coopStoreT\(.*\);", emitted())
    assert stores
    for store in stores:
        assert re.fullmatch(r"coopStoreT\(\w+, &matrix_scratch\[matrix_scratch_at\w*\], 16u\);", store)


def test_arrays_that_are_named_as_the_roles() -> None:
    text = emitted()
    assert set(re.findall(r"var<storage, \w+> (\w+):", text)) == {"A_2", "B_2", "C_2", "rows"}


def test_tiles_are_of_f16_with_rows_eight_elements_longer() -> None:
    text = emitted()
    for name in ("left", "right"):
        assert f"var<workgroup> {name}: array<f16, {2 * M * (K + 8)}>;" in text


def test_matrices_of_8() -> None:
    text = emitted(8)
    assert "coop_mat8x8<f16, A>" in text and "coop_mat8x8<f32, C>" in text and "16x16" not in text


def test_texts_for_no_device_have_none() -> None:
    assert "coop" not in product.source("wgsl")


# ---------------------------------------------------------------- naga


def refusal(text: str) -> str:
    """What the installed naga says of a module on the first adapter."""
    found = [a for a in wgpu.gpu.enumerate_adapters_sync() if "shader-f16" in a.features and "subgroup" in a.features]
    if not found:
        pytest.skip("there is no adapter of wgpu with f16")
    opened = found[0].request_device_sync(required_features=["shader-f16", "subgroup"])
    with pytest.raises(wgpu.GPUValidationError) as caught:
        opened.create_shader_module(code=text)
    opened.destroy()
    return str(caught.value)


@pytest.mark.parametrize("edge", [8, 16])
def test_naga_knows_the_extension_and_lacks_nothing_else(edge: int) -> None:
    """It reads the whole text before it refuses the first matrix, for want of what no device can be opened with."""
    text = emitted(edge)
    assert "`wgpu_cooperative_matrix` extension is not supported in the current environment" in refusal(text)
    without = text.replace(f"{ENABLE}\n", "")
    said = refusal(without)
    assert "the `wgpu_cooperative_matrix` enable extension is not enabled" in said
    line = int(re.search(r"wgsl:(\d+):", said)[1])  # type: ignore[index]  # naga names the place
    assert "coop_mat" in without.splitlines()[line - 1]
    assert "expected" in refusal(f"{without}\nfn unfinished( {{")


# ---------------------------------------------------------------- results


def test_results(stand_in: tuple[Device, StandIn]) -> None:
    """Of the emitted text, with plain WGSL in place of the matrices."""
    opened, backend = stand_in
    random = np.random.default_rng(1)
    a, b = random.normal(size=(45, 37)).astype("f2"), random.normal(size=(50, 37)).astype("f2")
    c = random.normal(size=(45, 50)).astype("f4")
    given = [gp.asarray(x, device=opened) for x in (a, b, c)]
    rows = gp.empty(45, device=opened)
    product(*given, rows, 3.0, workgroups=(2, 2))
    assert "coopMultiplyAdd" in backend.texts[-1]
    wide = a.astype("f8"), b.astype("f8").T
    wanted = (c + wide[0] @ wide[1]) * 3 + (np.arange(45)[:, None] % M) * 0.5
    bound = 2.0**-20 * (np.abs(wide[0]) @ np.abs(wide[1]) + np.abs(c) + 16)
    found = given[2].numpy()
    assert (np.abs(found - wanted) <= bound).all()
    assert np.array_equal(rows.numpy(), np.where(np.arange(45) < 45, found[:, :N].max(axis=1), 0))


def test_a_product_of_arrays(stand_in: tuple[Device, StandIn]) -> None:
    opened, backend = stand_in
    random = np.random.default_rng(2)
    a, b = random.integers(-3, 4, (45, 70)).astype("f2"), random.integers(-3, 4, (70, 37)).astype("f2")
    assert np.array_equal(gp.matmul(a, b, device=opened), a.astype("f4") @ b.astype("f4"))
    assert "coopMultiplyAdd" in backend.texts[-1]


def test_the_stand_in_leaves_other_texts_as_they_are() -> None:
    text = product.source("wgsl")
    assert plain(text) is text
    assert "coop" not in plain(emitted())


# ---------------------------------------------------------------- devices


class Adapter:
    """Opens devices, or refuses them as wgpu-native does."""

    features = frozenset({"cooperative-matrix", "shader-f16", "subgroup"})

    def __init__(self, opens: bool) -> None:
        self.opens = opens
        self.asked: list[list[str]] = []

    def request_device_sync(self, *, required_features: list[str]) -> Any:
        self.asked.append(required_features)
        if not self.opens:
            raise RuntimeError("experimental features are not enabled")
        return SimpleNamespace(destroy=lambda: None)


@pytest.mark.parametrize(
    ("api", "driver", "edge"),
    [
        ("Vulkan", "NVIDIA 580.159", 16),
        ("Metal", "Apple", 8),
        ("Vulkan", "radv Mesa 25.0.1", 0),
        ("D3D12", "NVIDIA", 0),
    ],
)
def test_shapes_are_those_that_are_known_to_be_right(api: str, driver: str, edge: int) -> None:
    adapter = Adapter(opens=True)
    assert cooperative.edge_of_matrices(adapter, api, driver) == edge
    assert adapter.asked == ([["cooperative-matrix", "shader-f16", "subgroup"]] if edge else [])


def test_only_a_device_that_can_be_opened_has_matrices(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cooperative.edge_of_matrices(Adapter(opens=False), "Vulkan", "NVIDIA 580.159") == 0
    lacking = SimpleNamespace(features=frozenset({"shader-f16", "subgroup"}))
    assert cooperative.edge_of_matrices(lacking, "Vulkan", "NVIDIA 580.159") == 0
    for found in adapters.find_adapters():
        listed = cooperative.FEATURE in found.adapter.features
        assert listed or Capability.COOPERATIVE_MATRICES not in found.info.capabilities


def test_a_device_with_matrices_is_opened_with_the_feature() -> None:
    found = adapters.find_adapters()
    if not found:
        pytest.skip("there is no adapter of wgpu")
    adapter, info = found[0].adapter, found[0].info
    assert cooperative.FEATURE not in [*device._features(adapter, info)]
    with_matrices = dataclasses.replace(info, capabilities=info.capabilities | {Capability.COOPERATIVE_MATRICES})
    assert [*device._features(adapter, with_matrices)][-1] == cooperative.FEATURE
