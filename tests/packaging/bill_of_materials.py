"""What a wheel is made of, as a CycloneDX 1.6 document: the wheel with its hash, and all that it requires.

Wheels state ranges of versions, not versions, so the components have the requirement in place of a version. The
document depends on the wheel and the time of its sources alone, so that it is the same in every build.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import uuid
from collections import defaultdict
from pathlib import Path
from typing import Any

from distribution_checks import read_wheel
from distributions import FOLDERS
from packaging.metadata import Metadata
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from gpucore.runtime.plugins.records import IS_PUBLISHED


def describe(wheel: Path, epoch: int) -> dict[str, Any]:
    """The document of a wheel, whose sources are of that time, in seconds since 1970."""
    files = read_wheel(wheel)
    (information,) = (content for name, content in files.items() if name.endswith(".dist-info/METADATA"))
    (made,) = (content.decode() for name, content in files.items() if name.endswith(".dist-info/WHEEL"))
    (generator,) = (line.partition(": ")[2] for line in made.splitlines() if line.startswith("Generator: "))
    builder, _, builder_version = generator.partition(" ")
    metadata = Metadata.from_email(information)
    requirements: dict[str, list[Requirement]] = defaultdict(list)
    for requirement in metadata.requires_dist or ():
        requirements[canonicalize_name(requirement.name)].append(requirement)
    components = [_component(name, found) for name, found in sorted(requirements.items())]
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    itself = f"{metadata.name}@{metadata.version}"
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.datetime.fromtimestamp(epoch, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "tools": {"components": [{"type": "application", "name": builder, "version": builder_version}]},
            "component": {
                "type": "library",
                "bom-ref": itself,
                "name": metadata.name,
                "version": str(metadata.version),
                "description": metadata.summary,
                "licenses": [{"expression": metadata.license_expression}],
                "hashes": [{"alg": "SHA-256", "content": digest}],
                **_address(metadata.name, f"@{metadata.version}"),
            },
        },
        "components": components,
        "dependencies": [
            {"ref": itself, "dependsOn": [each["bom-ref"] for each in components]},
            *({"ref": each["bom-ref"]} for each in components),
        ],
    }


def _component(name: str, requirements: list[Requirement]) -> dict[str, Any]:
    """Something that the wheel requires, always or by an extra."""
    is_required = any(requirement.marker is None for requirement in requirements)
    return {
        "type": "library",
        "bom-ref": name,
        "name": name,
        "scope": "required" if is_required else "optional",
        **_address(name),
        "properties": [{"name": "gpucore:requirement", "value": str(each)} for each in requirements],
    }


def _address(name: str, version: str = "") -> dict[str, str]:
    """Where it is on PyPI. Until gpucore is published, the package of its name there is somebody else's."""
    return {"purl": f"pkg:pypi/{name}{version}"} if IS_PUBLISHED or name not in FOLDERS else {}


def find_violations(bill: dict[str, Any]) -> list[str]:
    """What the schema of CycloneDX does not allow. Needs cyclonedx-python-lib."""
    from cyclonedx.schema import SchemaVersion  # noqa: PLC0415 (`make dist` has it, `make test` has not)
    from cyclonedx.validation.json import JsonStrictValidator  # noqa: PLC0415 (the same)

    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(json.dumps(bill))
    return [] if error is None else [str(error)]
