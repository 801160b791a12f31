"""Clients in other languages write records and read them again, protected and logged in.

What `more` says is in the environment of their programs: CA_FILE, KEY_FILE and TLS_VERSION,
SASL_MECHANISM with USER_NAME and USER_PASSWORD, TOKEN or (franz-go alone) KEYTAB.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

SCENARIOS = Path(__file__).parents[1] / "javascript" / "kafkajs_scenarios.js"
WAIT_S = 60


def by_kafkajs(kafkajs: Path, place: str, topic: str, more: Mapping[str, str]) -> None:
    kind = {"NODE_PATH": str(kafkajs), "KAFKAJS_NO_PARTITIONER_WARNING": "1"}
    _write_and_read(("node", SCENARIOS, place, "codec", topic, "GZIP"), {**kind, **more})


def by_franz(go_program: Path, place: str, topic: str, more: Mapping[str, str]) -> None:
    _write_and_read((go_program, place, "franz", "codec", topic, "zstd"), more)


def _write_and_read(command: tuple[object, ...], more: Mapping[str, str]) -> None:
    done = subprocess.run(
        [str(word) for word in command],
        env={**os.environ, **more},
        capture_output=True,
        text=True,
        timeout=WAIT_S,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {"same": True, "headers": True}
