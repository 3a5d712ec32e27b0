"""Archives of objects, in the format of `ar`: what a package has of one kernel. Other programs can list them, too."""

from __future__ import annotations

from collections.abc import Mapping

_MAGIC = b"!<arch>\n"
_HEADER_NBYTES = 60
_END = b"`\n"
_NAME_NBYTES = 15  # and "/"


def write_archive(members: Mapping[str, bytes]) -> bytes:
    """An archive of members with short names."""
    parts = [_MAGIC]
    for name, content in members.items():
        assert len(name) <= _NAME_NBYTES
        header = f"{name + '/':<16}{0:<12}{0:<6}{0:<6}{'644':<8}{len(content):<10}".encode() + _END
        parts += [header, content, b"\n" * (len(content) % 2)]
    return b"".join(parts)


def read_archive(content: bytes) -> dict[str, bytes]:
    """The members of an archive. Raises ValueError for other bytes."""
    if not content.startswith(_MAGIC):
        raise ValueError("it is no archive of objects")
    members: dict[str, bytes] = {}
    place = len(_MAGIC)
    while place < len(content):
        header = content[place : place + _HEADER_NBYTES]
        place += _HEADER_NBYTES
        if len(header) != _HEADER_NBYTES or not header.endswith(_END):
            raise ValueError("the archive of objects is damaged")
        name, size = header[:16].decode("ascii").rstrip().removesuffix("/"), int(header[48:58])
        member = content[place : place + size]
        if len(member) != size:
            raise ValueError("the archive of objects is cut short")
        members[name] = member
        place += size + size % 2
    return members
