"""Installs clients for Node.js, once into the user's cache folder, with npm."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

from tests.judges.kafka_jars import MissingJudge

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
KAFKAJS = ("kafkajs@2.2.4", "kafkajs-snappy@1.1.0", "lz4js@0.2.0", "zstd-codec@0.1.5")
"""The client, and codecs for it that need no compiler."""
REGISTRY = ("@kafkajs/confluent-schema-registry@4.1.0",)
INSTALL_TIMEOUT_S = 300


def find_kafkajs() -> Path:
    """A folder for NODE_PATH; or `MissingJudge`."""
    return _found("kafkajs", KAFKAJS)


def find_registry_client() -> Path:
    """The same of the client of registries."""
    return _found("kafkajs-registry", REGISTRY)


def _found(name: str, packages: tuple[str, ...]) -> Path:
    if shutil.which("node") is None:
        raise MissingJudge(f"{name} cannot be asked: this machine has no node.")
    folder = CACHE / f"moldau-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "installed").exists():
            _install(name, folder, packages)
    return folder / "node_modules"


def _install(name: str, folder: Path, packages: tuple[str, ...]) -> None:
    if shutil.which("npm") is None:
        raise MissingJudge(f"{name} cannot be installed: this machine has no npm.")
    command = ["npm", "install", "--no-fund", "--no-audit", "--prefix", str(folder), *packages]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=INSTALL_TIMEOUT_S)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise MissingJudge(f"{name} cannot be installed: npm reached no registry.") from error
    (folder / "installed").touch()
