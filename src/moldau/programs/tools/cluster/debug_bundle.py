"""`moldau debug-bundle`: one file to send to whom you ask for help, without records and secrets."""

from __future__ import annotations

import json
import tarfile
from argparse import ArgumentParser, Namespace
from io import BytesIO
from platform import platform, python_version
from typing import Any

from moldau import __version__
from moldau.platform.ports.files import File
from moldau.programs.tools.cluster.bundle import collect
from moldau.programs.tools.cluster.connecting import admin_for, declare_cluster
from moldau.programs.tools.cluster.export_topic import ExistsError
from moldau.programs.tools.cluster.secrets import without_secrets
from moldau.programs.tools.cluster.tables import count_text, size_text
from moldau.programs.tools.command import World

LOG_BYTES_MAX = 4 * 1024 * 1024
"""Of each log the end, which is where the trouble is."""
MODE = 0o600


def declare(parser: ArgumentParser) -> None:
    declare_cluster(parser)
    parser.add_argument("file", metavar="FILE", help="where to: a name that ends in .tar.gz")
    parser.add_argument(
        "--log",
        action="append",
        default=[],
        metavar="FILE",
        help="a log of a node, whose last 4 MiB go in with what looks like a secret hidden; may be "
        "repeated",
    )


def run(options: Namespace, world: World) -> int:
    if world.files.status(options.file) is not None:
        raise ExistsError(options.file)
    logs = {path: _end_of(world.files.open(path, read_only=True)) for path in options.log}
    now_ms = world.clock.now_ms()

    def progress(part: str) -> None:
        print(f"Asking for {part.replace('_', ' ')} …", file=world.errors)

    with admin_for(options, world) as admin:
        parts = collect(admin, options.bootstrap_server, now_ms, progress)
    contents = {f"{name}.json": _text(part) for name, part in parts.items()}
    contents["about.json"] = _text(_about(options, now_ms, parts))
    for path, text in logs.items():
        contents[f"logs/{path.strip('/').replace('/', '_')}"] = without_secrets(text)
    data = _packed(contents, now_ms)
    file = world.files.open(options.file, create=True)
    file.append(data)
    file.close()
    failed = [name for name, part in parts.items() if isinstance(part, dict) and "error" in part]
    missing = f" Not to be had: {', '.join(failed)} (the reasons are inside)." if failed else ""
    print(
        f"{options.file}: {count_text(len(contents), 'file')}, {size_text(len(data))}, without "
        f"records and secrets. Look through it before you send it away.{missing}",
        file=world.out,
    )
    return 0


def _about(options: Namespace, now_ms: int, parts: dict[str, Any]) -> dict[str, object]:
    return {
        "time_ms": now_ms,
        "bootstrap_server": options.bootstrap_server,
        "moldau": __version__,
        "python": python_version(),
        "platform": platform(),
        "parts": sorted(parts),
    }


def _end_of(file: File) -> str:
    try:
        size = file.size()
        start = max(0, size - LOG_BYTES_MAX)
        data = file.read_at(start, size - start)
    finally:
        file.close()
    return data.decode("utf-8", "replace")


def _text(part: object) -> str:
    return json.dumps(part, indent=1, ensure_ascii=False) + "\n"


def _packed(contents: dict[str, str], now_ms: int) -> bytes:
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as bundle:
        for name, text in contents.items():
            data = text.encode()
            entry = tarfile.TarInfo(f"moldau-debug/{name}")
            entry.size, entry.mtime, entry.mode = len(data), now_ms // 1000, MODE
            bundle.addfile(entry, BytesIO(data))
    return packed.getvalue()
