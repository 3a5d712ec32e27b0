"""Every MUST of the backend interface has behaviours that test it, and every member is in the contract of one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from gpucore.plugin import Limits
from gpucore.runtime import protocol
from gpucore.testing import Behaviours, list_behaviours
from gpucore.testing.suites.backends import GREATEST

MUSTS: dict[str, dict[str, str]] = {
    # Member: each of its sentences from the word MUST on, and the behaviours that fail where it is broken. What no test
    # can bring about or see has the nearest: C513 and C514 are kernels that may fail on a device, and C009 has the text
    # of a pipeline, not what its driver got.
    "Buffer.address": {"MUST be where the memory begins": "C043 C044"},
    "Buffer.write": {"MUST copy": "C020 C021 C023 C029 C042 C080", "MUST NOT touch": "C021"},
    "Buffer.read": {"MUST fill": "C020 C022 C024"},
    "Buffer.part": {"MUST, if the device has a `part_alignment`": "C078"},
    "Buffer.release": {"MUST free the memory": "C014 C026 C091", "MUST accept a second call": "C026"},
    "Pipeline.release": {"MUST free the driver's objects": "C026 C068 C095", "MUST accept a second call": "C009 C026"},
    "Mark.is_done": {"MUST return, without waiting": "C036 C074", "MUST raise DeviceError": "C513 C514"},
    "Mark.pause": {"MUST NOT sleep longer": "C073"},
    "Launcher": {"MUST do what Device.dispatch": "C046 C047 C048 C049"},
    "Recording.run": {"MUST queue the steps": "C050 C051"},
    "Recording.release": {"MUST free what it holds": "C052"},
    "Device.queues": {"MUST NOT wait for": "C063"},
    "Device.allocate": {"MUST return a buffer": "C013 C025 C044 C067 C090"},
    "Device.compile": {"MUST compile a Source": "C009 C010"},
    "Device.load": {"MUST, if `Backend.build`": "C076", "MUST raise": "C081"},
    "Device.dispatch": {"MUST queue the kernel": "C030 C032 C033 C034 C035 C040 C101 C704"},
    "Device.copy": {"MUST copy the first": "C027 C028 C030 C031"},
    "Device.adopt": {"MUST, if the device has a `memory_space`": "C043", "MUST NOT free the memory": "C043 C045"},
    "Device.select": {"MUST, if the device has several": "C061 C062 C063"},
    "Device.order": {"MUST, if the device has several": "C064 C065", "MUST NOT wait": "C066"},
    "Device.wait_for_stream": {"MUST, if the device has a `stream`": "C083"},
    "Device.block_stream": {"MUST, if the device has a `stream`": "C083"},
    "Device.mark": {"MUST put a mark": "C036 C037"},
    "Device.is_idle": {"MUST, if `idle_polls`": "C070", "MUST raise DeviceError": "C513 C514"},
    "Device.elapsed": {"MUST return the seconds": "C038 C041", "it MUST return the host's time": "C003 C041"},
    "Device.close": {"MUST free everything": "C011 C015 C069 C084 C097", "MUST accept a": "C011"},
    "Backend.probe": {"MUST say which devices": "C002", "MUST NOT raise for a missing": "C085"},
    "Backend.open": {"MUST open the device": "C005 C012"},
    "Backend.prepare": {"MUST return `valid.module`": "C086"},
    "Backend.shapes_for": {"They MUST fit the device": "C075", "MUST depend on `info` alone": "C075"},
    "Backend.emit": {
        "MUST translate a valid kernel": "C007 C008",
        "MUST raise EmitError": "C017",
        "The text MUST depend on": "C006 C087",
        "the text MUST be byte for byte": "C009",
    },
    "Backend.build": {"MUST raise DriverCompileError": "C081"},
    "Backend.choose_offline": {"MUST, if there are": "C076 C088"},
}

NOT_IN_A_CONTRACT = {
    "Buffer.nbytes": "C020 has it in its text",
    "Pipeline.source": "C009 is of Pipeline",
    "Launcher.block": "C046 to C049 are of Launcher",
    "Launcher.run": "C046 to C049 are of Launcher",
    "Device.info": "C003 is of DeviceInfo",
    "Backend.name": "C001 is of Backend",
    "Backend.priority": "C001 is of Backend",
    "Backend.language": "C001 is of Backend",
    "Backend.capabilities": "C001 is of Backend",
    "Buffer.whole": "core sets it",
    "Buffer.first": "core sets it",
    "Buffer.is_adopted": "core sets it",
    "Buffer.is_exported": "core sets it",
    "Mark.polls": "how often core asks before it calls `pause`: any number is right",
    "Device.queues": "C061 to C069 are of its `select` and `order`",
    "Device.idle_polls": "C070 is of `is_idle`",
    "Device.memory_space": "C043 and C044 are of `adopt` and `Buffer.address`",
    "Backend.hint": "a text for people",
    "Backend.settings": "names of variables, for a warning of core's",
    "Backend.operations": "what core expands: every function of the kernel language is a behaviour",
    "Backend.of_some_drivers": "C007 emits for no device",
    "Backend.subgroup_size": "C007 emits for no device",
    "Backend.kind": "C007 emits for no device",
    "Backend.takes_native_text": "what gp.native_kernel may do; the kit has no text of a language",
    "Backend.wants_unoptimised_ir": "every behaviour emits from that IR",
    "Backend.coarsens": "element-wise kernels of all behaviours are changed where it is set",
    "Backend.prefetches": "C610 has Prefetch statements",
    "Backend.survives_fork": "choice of the child process of a probe",
    "Backend.takes_view": "C613 has views where the backend takes them",
    "Backend.offline_targets": "C076 and C088 go through all of them",
    "Backend.runtime_files": "files of an export, which run outside of the device",
}

_OF_BACKENDS = ("Buffer", "Pipeline", "Mark", "Launcher", "Recording", "Device", "Backend")


@cache
def _source() -> str:
    return Path(str(protocol.__file__)).read_text(encoding="utf-8")


def _members() -> Iterator[tuple[str, str]]:
    """The public members of the interface, "Buffer.write", each with its documentation; classes too, "Launcher"."""
    lines = _source().splitlines()
    for found in ast.parse(_source()).body:
        if not isinstance(found, ast.ClassDef):
            continue
        yield found.name, ast.get_docstring(found) or ""
        for at, one in enumerate(found.body):
            if isinstance(one, ast.FunctionDef) and not one.name.startswith("_"):
                yield f"{found.name}.{one.name}", ast.get_docstring(one) or ""
            elif isinstance(one, ast.AnnAssign | ast.Assign):
                target = one.target if isinstance(one, ast.AnnAssign) else one.targets[0]
                text = lines[one.lineno - 1].partition("#")[2]
                follows = found.body[at + 1] if at + 1 < len(found.body) else None
                if isinstance(follows, ast.Expr) and isinstance(follows.value, ast.Constant):
                    text += str(follows.value.value)
                yield f"{found.name}.{ast.unparse(target)}", text


DOCUMENTED = {name: " ".join(text.split()) for name, text in _members()}


def test_every_must_of_the_interface_is_in_the_table() -> None:
    counted = {name: len(re.findall(r"\bMUST\b", text)) for name, text in DOCUMENTED.items()}
    assert {name: count for name, count in counted.items() if count} == {
        name: sum(sentence.count("MUST") for sentence in sentences) for name, sentences in MUSTS.items()
    }
    says_what_the_word_means, of_probes = 1, 0
    assert _source().count("MUST") == sum(counted.values()) + says_what_the_word_means + of_probes


@pytest.mark.parametrize("member", MUSTS)
def test_sentences_are_those_of_the_interface(member: str) -> None:
    for sentence in MUSTS[member]:
        assert sentence in DOCUMENTED[member]


def test_behaviours_of_the_table_are_there_and_tell_of_the_member() -> None:
    contracts = {behaviour.number: behaviour.contract for behaviour in list_behaviours(Behaviours)}
    for member, sentences in MUSTS.items():
        numbers = " ".join(sentences.values()).split()
        assert set(numbers) <= set(contracts), member
        if member in NOT_IN_A_CONTRACT:
            continue
        assert any(re.search(rf"{re.escape(member)}\b", contracts[number]) for number in numbers), member


def test_every_member_is_in_the_contract_of_a_behaviour() -> None:
    contracts = " ".join(behaviour.contract for behaviour in list_behaviours(Behaviours))
    members = {name for name in DOCUMENTED if "." in name and name.partition(".")[0] in _OF_BACKENDS}
    missing = {name for name in members if not re.search(rf"{re.escape(name)}\b", contracts)}
    assert missing == set(NOT_IN_A_CONTRACT) & missing, "no behaviour has these in its contract, and no reason is given"
    assert set(NOT_IN_A_CONTRACT) - missing == set(), "these are in a contract, or are gone"


def test_the_docstring_of_limits_has_what_the_kit_accepts() -> None:
    assert Limits.__doc__ is not None
    stated = {name: 2 ** int(power) for name, power in re.findall(r"`(\w+)`\s+2\*\*(\d+)\b(?! - 1)", Limits.__doc__)}
    assert stated == GREATEST
