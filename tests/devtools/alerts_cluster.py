"""Three nodes that Prometheus scrapes, with the rules as they are but for how long they wait.

What the rules wait for in minutes, they wait for in seconds here, so that a scenario takes as long
as what breaks and not as the patience of operators.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.devtools.test_dashboards import RULES
from tests.devtools.test_prometheus import asked, wait_for
from tests.judges.kafka_node import HOST, free_ports

__all__ = ["firing", "scraping", "until_firing", "until_quiet"]

CONFIG = """
global: {{scrape_interval: 250ms, evaluation_interval: 500ms}}
rule_files: [{rules}]
scrape_configs: [{{job_name: kafka, static_configs: [{{targets: [{targets}]}}]}}]
"""
WAITS = re.compile(r"for: \d+[sm]")
WINDOW = re.compile(r"\[10m\]")


def impatient(rules: str) -> str:
    return WINDOW.sub("[20s]", WAITS.sub("for: 1s", rules))


@contextmanager
def scraping(folder: Path, ports: Sequence[int]) -> Iterator[str]:
    """Where Prometheus is asked."""
    (web,) = free_ports(1)
    rules, config = folder / "rules.yml", folder / "prometheus.yml"
    rules.write_text(impatient(RULES.read_text()))
    targets = ", ".join(f'"{HOST}:{port}"' for port in ports)
    config.write_text(CONFIG.format(rules=rules, targets=targets))
    listen, storage = f"--web.listen-address={HOST}:{web}", f"--storage.tsdb.path={folder}/series"
    with (folder / "prometheus.log").open("w") as log:
        command = ["prometheus", f"--config.file={config}", listen, storage]
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        yield f"{HOST}:{web}"
    finally:
        process.terminate()
        process.wait()


def firing(place: str) -> set[str]:
    """Names of alerts."""
    try:
        found: list[dict[str, Any]] = asked(place, "alerts")["alerts"]
    except OSError:
        return set()  # it starts
    return {one["labels"]["alertname"] for one in found if one["state"] == "firing"}


def until_firing(place: str, *names: str) -> set[str]:
    """Those that fire, once all of these do."""
    seen: set[str] = set()

    def all_seen() -> bool:
        seen.update(firing(place))
        return seen.issuperset(names)

    wait_for(all_seen)
    return seen


def until_quiet(place: str, but: Sequence[str] = ()) -> set[str]:
    """Those that still fire, when it has been waited for long enough."""
    wait_for(lambda: not firing(place) - set(but))
    return firing(place) - set(but)
