"""Makes the sides: formats each kind of node once, and copies what that gave."""

from __future__ import annotations

import shutil
from pathlib import Path

from bench.versus.clusters import Cluster
from bench.versus.kinds import ApacheKafka, Moldau, Node, Place
from bench.versus.sides import Side


class Nodes:
    """Nodes of both kinds, alone or several together."""

    def __init__(self, work: Path, libs: Path) -> None:
        self._work = work
        self._libs = libs
        self._made = 0

    def new(self, kind: type[Node], count: int = 1) -> Side:
        """Formatted, and not started; `remove` ends it and frees its disk."""
        self._made += 1
        folder = self._work / f"node-{self._made}"
        if count == 1:
            return self._one(kind, folder, Place.alone())
        places = Place.together(count)
        return Cluster([self._one(kind, folder / str(one.node_id), one) for one in places])

    def remove(self, side: Side) -> None:
        side.kill()
        shutil.rmtree(side.folder, ignore_errors=True)

    def _one(self, kind: type[Node], folder: Path, place: Place) -> Node:
        crowd = place.voters.count("@")
        blank = self._work / f"blank-{kind.__name__}-{place.node_id}-of-{crowd}"
        if not blank.exists():
            self._side(kind, blank, place)
        shutil.copytree(blank / "data", folder / "data")
        return self._side(kind, folder, place)

    def _side(self, kind: type[Node], folder: Path, place: Place) -> Node:
        is_apache = kind is ApacheKafka
        return ApacheKafka(folder, self._libs, place) if is_apache else Moldau(folder, place)
