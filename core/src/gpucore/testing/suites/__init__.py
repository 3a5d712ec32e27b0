"""The behaviours, by subject."""

from __future__ import annotations

from gpucore.testing.suites.algorithms import AlgorithmTests
from gpucore.testing.suites.backends import BackendTests
from gpucore.testing.suites.blocks import BlockTests
from gpucore.testing.suites.composition import CompositionTests
from gpucore.testing.suites.control import ControlFlowTests
from gpucore.testing.suites.conversions import ConversionTests
from gpucore.testing.suites.debugging import DebuggingTests
from gpucore.testing.suites.duties import DutyTests
from gpucore.testing.suites.exactness import ExactnessTests
from gpucore.testing.suites.features import FeatureTests
from gpucore.testing.suites.floats import FloatTests
from gpucore.testing.suites.functions import FunctionTests
from gpucore.testing.suites.grids import GridTests
from gpucore.testing.suites.integers import IntegerTests
from gpucore.testing.suites.launches import LaunchTests
from gpucore.testing.suites.matrices import MatrixTests
from gpucore.testing.suites.memory import MemoryTests
from gpucore.testing.suites.queues import QueueTests
from gpucore.testing.suites.randoms import RandomTests
from gpucore.testing.suites.ranges import RangeTests
from gpucore.testing.suites.records import RecordTests
from gpucore.testing.suites.remainders import RemainderTests
from gpucore.testing.suites.several_queues import SeveralQueuesTests
from gpucore.testing.suites.sharing import SharingTests
from gpucore.testing.suites.stress import StressTests
from gpucore.testing.suites.transfers import TransferTests
from gpucore.testing.suites.values import ValueTests

SUITES: dict[str, type] = {
    "Backend interface: backends and devices": BackendTests,
    "Backend interface: buffers and the queue": QueueTests,
    "Backend interface: memory of other libraries": SharingTests,
    "Backend interface: launchers and recordings": LaunchTests,
    "Backend interface: transfers that end later, fences": TransferTests,
    "Backend interface: several queues": SeveralQueuesTests,
    "Backend interface: parts, threads, processes, targets": DutyTests,
    "Parameters, arrays, vectors, structs, names": ValueTests,
    "Integers": IntegerTests,
    "Floats": FloatTests,
    "Remainders of floats": RemainderTests,
    "Arithmetic as it is written": ExactnessTests,
    "Functions of f32": FunctionTests,
    "Conversions, bits, optional types": ConversionTests,
    "Control flow": ControlFlowTests,
    "Helpers, generics, captured values": CompositionTests,
    "Memory, barriers, atomics": MemoryTests,
    "Indices out of range": RangeTests,
    "Grids": GridTests,
    "Structs in arrays, enums, match": RecordTests,
    "Ranks, small integers, subgroups, wider atomics, gp.target": FeatureTests,
    "Random numbers": RandomTests,
    "Blocks of a workgroup": BlockTests,
    "Matrices of a workgroup": MatrixTests,
    "Many and large (tier stress)": StressTests,
    "The library's own kernels (tier algorithms)": AlgorithmTests,
    "Debug builds and gp.check (tier debugging)": DebuggingTests,
}
"""The suites by title."""


class Behaviours(
    BackendTests, QueueTests, SharingTests, LaunchTests, TransferTests, SeveralQueuesTests, DutyTests, ValueTests,
    IntegerTests, FloatTests, RemainderTests, ExactnessTests, FunctionTests, ConversionTests, ControlFlowTests,
    CompositionTests, MemoryTests, RangeTests, GridTests, RecordTests, FeatureTests, RandomTests, BlockTests,
    MatrixTests, StressTests, AlgorithmTests, DebuggingTests,
):  # fmt: skip
    """Every behaviour, as methods that take the open device."""
