"""The page of demos (`make web`): its sorts and products are right, its pictures are those of the examples on other
devices, and it says so where there is no WebGPU."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import Browser, MissingBrowserError, served

from gpucore.testing.devices import is_required

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
SCREENSHOTS = os.environ.get("PAGE_SCREENSHOTS", "")
"""A folder for pictures of the page, to be looked at."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `make web` serves."""
    folder = tmp_path_factory.mktemp("site")
    for path in (EXAMPLES / "web").iterdir():
        if path.suffix in (".html", ".css", ".js"):
            shutil.copy(path, folder)
    command = [
        sys.executable,
        "-m",
        "gpucore",
        "export",
        "web",
        "examples/web/site.py:record",
        "-o",
        folder / "kernels",
    ]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stdout + run.stderr
    return folder


@pytest.fixture(scope="module")
def page(site: Path) -> Iterator[Browser]:
    with served(site) as address:
        try:
            browser = Browser(f"{address}/index.html", "document.documentElement.dataset.ready")
        except MissingBrowserError as error:
            if is_required("web"):
                pytest.fail(f"GPUCORE_REQUIRE_BACKENDS requires web: {error}", pytrace=False)
            pytest.skip(str(error))
        yield browser
        browser.close()


def rows(page: Browser, table: str) -> list[list[str]]:
    code = "id => [...document.getElementById(id).rows].map(row => [...row.cells].map(cell => cell.textContent))"
    return page.evaluate(code, table)  # type: ignore[no-any-return]


def press(page: Browser, button: str) -> None:
    """Press a button, and wait until it can be pressed again."""
    page.evaluate(
        """async id => {
            const button = document.getElementById(id);
            button.click();
            while (button.disabled) await new Promise(done => setTimeout(done, 20));
        }""",
        button,
    )


def test_the_page_has_a_device(page: Browser) -> None:
    assert page.evaluate("document.documentElement.dataset.ready") == "yes"
    assert page.evaluate("document.getElementById('status').textContent").startswith("WebGPU device: ")
    assert page.evaluate("document.getElementById('missing').hidden")


def test_the_nine_sorts(page: Browser) -> None:
    press(page, "run-sorts")
    found = rows(page, "sort-rows")
    assert len(found) == 10 and [row[-1] for row in found] == ["right"] * 10
    assert found[1][1].startswith("-2147483648 -100 -5 -1 ") and found[6][1].startswith("NaN Infinity 3.14")


@pytest.mark.large
def test_a_million(page: Browser) -> None:
    press(page, "run-million")
    assert rows(page, "sort-rows")[-1][-1] == "right"


def test_the_ladder_of_products(page: Browser) -> None:
    press(page, "run-products")
    found = rows(page, "product-rows")
    assert [row[0] for row in found] == [
        "JavaScript", "naive", "workgroup_256", "workgroup_2d", "tiling_1d", "tiling_2d", "shared_tile", "auto",
    ]  # fmt: skip
    assert [row[-1] for row in found] == ["", *["right"] * 7]


def run_kernels(page: Browser, body: str, argument: Any) -> Any:
    """What code gives with the kernels of the page, on a device of its own."""
    code = """async argument => {
        const gpucore = await import("./kernels/gpucore.js");
        const device = await gpucore.openDevice();
        const module = await device.load("kernels/kernels.json");
        try { %s } finally { device.destroy(); }
    }"""
    return page.evaluate(code % body, argument)


@pytest.fixture(scope="module")
def examples() -> Iterator[Any]:
    """The modules of the examples."""
    sys.path.insert(0, str(EXAMPLES))
    import life  # noqa: PLC0415
    import mandelbrot  # noqa: PLC0415
    import nbody  # noqa: PLC0415

    yield life, mandelbrot, nbody
    sys.path.remove(str(EXAMPLES))


def test_life_is_that_of_the_example(page: Browser, examples: Any) -> None:
    cells = (np.random.default_rng(3).random((37, 53)) < 0.4).astype(np.int32)
    body = """
        let now = device.array(new Int32Array(argument.flat()), { shape: [37, 53] });
        let then = device.empty("i32", [37, 53]);
        for (let n = 0; n < 11; n++) {
            module.kernels.generation({ before: now, after: then }, { invocations: [53, 37] });
            [now, then] = [then, now];
        }
        return [...await now.read()];
    """
    found = np.array(run_kernels(page, body, cells.tolist())).reshape(37, 53)
    assert found.any() and np.array_equal(found, examples[0].life(cells, 11, "cpu"))


def test_mandelbrot_is_that_of_the_example(page: Browser, examples: Any) -> None:
    body = """
        const image = device.empty("i32", [67, 101]), pixel = Math.fround(3 / 101);
        const corner = { re: -2.2, im: -pixel * 67 / 2 };
        module.kernels.draw({ corner, pixel, most: 200, image }, { invocations: [101, 67] });
        return [...await image.read()];
    """
    found = np.array(run_kernels(page, body, None)).reshape(67, 101)
    wanted = examples[1].mandelbrot(101, 67, 200, "cpu")
    assert np.mean(found == wanted) > 0.99  # products may be fused into sums, which moves the edge
    assert found.max() == 200 and found.min() < 3


def test_bodies_are_those_of_the_example(page: Browser, examples: Any) -> None:
    bodies = np.zeros(301, examples[2].Body)
    bodies["position"][:, :3] = np.random.default_rng(5).normal(size=(301, 3))
    bodies["mass"] = 1 / 301
    body = """
        const { Body } = module.structs;
        const bytes = Uint8Array.from(argument).buffer;
        let now = device.array(bytes, { element: Body }), then = device.empty(Body, 301);
        for (let n = 0; n < 5; n++) {
            module.kernels.step({ before: now, after: then, seconds: 0.01, softening: 0.05 }, { invocations: 301 });
            [now, then] = [then, now];
        }
        return [...new Uint8Array(await now.read())];
    """
    found = np.array(run_kernels(page, body, list(bodies.tobytes())), np.uint8).view(bodies.dtype)
    wanted = examples[2].simulate(bodies, 5, device="cpu")
    for field in ("position", "velocity", "mass"):
        np.testing.assert_allclose(found[field], wanted[field], rtol=1e-4, atol=1e-5)


def test_the_pictures_move(page: Browser) -> None:
    code = """async () => {
        const pixels = id => document.getElementById(id).toDataURL();
        const before = ["life", "nbody", "mandelbrot"].map(id => [id, pixels(id)]);
        const click = () => ["run-life", "run-nbody"].forEach(id => document.getElementById(id).click());
        click();
        document.getElementById("mandelbrot").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
        const moved = () => before.map(([id, picture]) => picture !== pixels(id));
        for (let n = 0; n < 300 && moved().includes(false); n++) await new Promise(done => setTimeout(done, 100));
        click();
        return moved();
    }"""
    assert page.evaluate(code) == [True, True, True]


def test_python_is_shown_beside_wgsl(page: Browser) -> None:
    code = """name => {
        const choice = document.getElementById("kernel");
        choice.value = name;
        choice.onchange();
        return ["python", "wgsl"].map(id => document.getElementById(id).textContent);
    }"""
    python, wgsl = page.evaluate(code, "draw")
    assert python.startswith("@gp.kernel(workgroup_size=(16, 16))\ndef draw(") and "fn draw(" in wgsl
    python, wgsl = page.evaluate(code, "sort_u32_1000_up")
    assert "result = gp.sort(keys)" in python and "@compute" in wgsl


def test_without_webgpu_it_says_what_to_enable(site: Path) -> None:
    with served(site) as address:
        try:
            browser = Browser(f"{address}/index.html", "document.documentElement.dataset.ready", has_webgpu=False)
        except MissingBrowserError as error:
            pytest.skip(str(error))
        text = browser.evaluate("document.getElementById('missing').textContent")
        browser.close()
    assert "no WebGPU" in text and "--enable-unsafe-webgpu" in text and "localhost" in text


@pytest.mark.skipif(not SCREENSHOTS, reason="PAGE_SCREENSHOTS names no folder for pictures of the page")
def test_pictures_of_the_page(site: Path) -> None:
    with served(site) as address:
        for name, width, scheme in (("light", 1100, "light"), ("dark", 1100, "dark"), ("narrow", 390, "light")):
            browser = Browser(
                f"{address}/index.html", "document.documentElement.dataset.ready", width=width, scheme=scheme
            )
            for button in ("run-sorts", "run-products"):
                press(browser, button)
            browser.screenshot(Path(SCREENSHOTS) / f"{name}.png")
            browser.close()
