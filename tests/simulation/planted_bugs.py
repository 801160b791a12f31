"""Bugs that people have made in replicated logs, each as a change of a line or two of our sources.

The stories of `cluster_story` know nothing of them: a bug is found if one of the first so many
ordinary seeds ends badly. So this is a test of the stories, and of what they check.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

BROKER = "moldau/broker"
REPLICA = f"{BROKER}/replica"
LOG = f"{BROKER}/log"


class Bug(NamedTuple):
    """A change that no one wants."""

    name: str
    path: str
    sound: str
    """Stands once in the file."""
    planted: str
    seeds: int
    """Among so many stories, counted from seed 0, one ends badly."""

    def plant(self, source: Path) -> None:
        """Into a copy of the sources."""
        file = source / self.path
        text = file.read_text()
        assert text.count(self.sound) == 1, f"{self.path} has not once: {self.sound}"
        file.write_text(text.replace(self.sound, self.planted))


BUGS = (
    Bug(
        "the high watermark is what any replica has",
        f"{REPLICA}/isr.py",
        "return min([leader_end, *ends])",
        "return max([leader_end, *ends])",
        10,
    ),
    Bug(
        "a log that has parted from its leader's is not noticed (KIP-101)",
        f"{REPLICA}/fetching.py",
        "    if epoch < last_fetched_epoch or end_offset < offset:\n",
        "    if False:\n",
        10,
    ),
    Bug(
        "a batch that is sent again is appended again",
        f"{LOG}/producers/rules.py",
        "        if note.last_sequence == last_sequence and note.offset_delta == delta:\n",
        "        if False:\n",
        10,
    ),
)
