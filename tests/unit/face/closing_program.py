"""Launch on a device, close it, and say whether it is gone: python closing_program.py DEVICE."""

from __future__ import annotations

import gc
import sys
import weakref
from typing import Any

import gpucore as gp


@gp.kernel(workgroup_size=4)
def fill(y: gp.Out[gp.i32], value: gp.Const[int]):
    i = gp.global_id(0)
    if i < y.size:
        y[i] = value


def run(value: int, device: Any) -> None:
    y = gp.zeros(3, gp.i32, device=device)
    fill(y, value, invocations=3)
    assert y.numpy().tolist() == [value] * 3


def main(name: str) -> None:
    device = gp.device(name)
    for value in (7, 7, 8):
        run(value, device)
    references = [weakref.ref(device), weakref.ref(device.driver_device)]
    device.close()
    del device
    gc.collect()
    held = [reference() for reference in references if reference() is not None]
    for one in held:
        print(one, "is held by", [type(owner) for owner in gc.get_referrers(one)])
    run(7, name)  # on a device opened anew
    if not held:
        print("gone")


if __name__ == "__main__":
    main(sys.argv[1])
