"""Installs kafkajs, the client for Node.js, once into the user's cache folder, with npm."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

from tests.judges.kafka_jars import MissingJudge

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "moldau-kafkajs"
PACKAGES = ("kafkajs@2.2.4", "kafkajs-snappy@1.1.0", "lz4js@0.2.0", "zstd-codec@0.1.5")
"""The client, and codecs for it that need no compiler."""
INSTALL_TIMEOUT_S = 300


def find_kafkajs() -> Path:
    """A folder for NODE_PATH; or `MissingJudge`."""
    if shutil.which("node") is None:
        raise MissingJudge("kafkajs cannot be asked: this machine has no node.")
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (CACHE / "installed").exists():
            _install()
    return CACHE / "node_modules"


def _install() -> None:
    if shutil.which("npm") is None:
        raise MissingJudge("kafkajs cannot be installed: this machine has no npm.")
    command = ["npm", "install", "--no-fund", "--no-audit", "--prefix", str(CACHE), *PACKAGES]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=INSTALL_TIMEOUT_S)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise MissingJudge("kafkajs cannot be installed: npm reached no registry.") from error
    (CACHE / "installed").touch()
