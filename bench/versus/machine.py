"""What a run ran on, and the settings of both sides: the part of the truth around the numbers."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from bench.versus.kinds import JVM_FLAGS, SETTINGS
from bench.versus.processes import SetupError
from devtools.environment import ROOT
from devtools.hot_modules import compiled_files

FREE_BYTES = 12 * 10**9
"""A topic that was deleted stays on both disks for a minute, as is Kafka's default."""
LEAST_FREE_BYTES = 2 * 10**9
UNKNOWN = "unknown"


def machine() -> dict[str, str]:
    return {
        "kind": f"{os.cpu_count()} cores of {processor()}, {memory_gb():.0f} GB",
        "system": f"{platform.system()} {platform.release()}",
        "java": java_version(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "hot modules": "compiled" if is_compiled() else "plain Python",
        "load before": f"{os.getloadavg()[0]:.1f}",
    }


def is_compiled() -> bool:
    return any(compiled_files())


def settings_given() -> list[str]:
    """All that is not a default, with the side that it is for."""
    settings = [f"both: {key}={value}" for key, value in SETTINGS.items()]
    settings.append("both: listeners, controller.quorum.voters, log.dirs of their own")
    return [*settings, f"Apache Kafka alone: {' '.join(JVM_FLAGS)}"]


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine() or UNKNOWN


def memory_gb() -> float:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9


def java_version() -> str:
    version = subprocess.run(["java", "-version"], capture_output=True, text=True).stderr
    return version.splitlines()[0] if version else UNKNOWN


def commit() -> str:
    """Short, with a plus where files that are measured differ from it."""
    try:
        name = git("rev-parse", "--short=10", "HEAD")
        changed = git("status", "--porcelain", "--untracked-files=no", "--", "src", "bench")
    except (OSError, subprocess.CalledProcessError):
        return UNKNOWN
    return f"{name}+" if changed else name


def git(*words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def check_requirements(work: Path, scale: float) -> None:
    """Raise with one sentence if something is missing that every case needs."""
    if find_spec("confluent_kafka") is None:
        raise SetupError("confluent-kafka is not installed: ./dev installs it.")
    if not Path("/proc/self/smaps_rollup").exists():
        raise SetupError("There is no /proc/self/smaps_rollup: nodes are measured on Linux only.")
    free, needed = shutil.disk_usage(work).free, max(FREE_BYTES * scale, LEAST_FREE_BYTES)
    if free < needed:
        raise SetupError(
            f"{work} has {free / 1e9:.1f} GB free and {needed / 1e9:.1f} GB are needed:"
            " name another folder with --work."
        )
