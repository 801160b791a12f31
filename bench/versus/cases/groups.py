"""Groups of 100 members that start together and lose ten, in both protocols.

Members ask every 250 ms instead of every 3 or 5 s, so that what is measured is the broker and not
the interval of its clients.
"""

from __future__ import annotations

from bench.versus.generators.running import generate
from bench.versus.model import Case, Run, Sample, Turn
from bench.versus.sides import Side

MEMBERS = 100
LEAVING = 10


def rebalancing(protocol: str) -> Run:
    """The turn of this protocol."""

    def run(side: Side, turn: Turn) -> Sample:
        members, leaving = turn.scaled(MEMBERS, least=LEAVING), turn.scaled(LEAVING)
        side.create_topic(turn.topic, members)
        options = {
            "--protocol": protocol,
            "--members": members,
            "--leaving": leaving,
            "--partitions": members,
        }
        words = [word for option in options.items() for word in option]
        with side.metered() as spent:
            found = generate("members", side.port, turn.topic, *words)
        return {
            "assigned_s": found["assigned_s"],
            "reassigned_s": found["reassigned_s"],
            "cpu_s": spent.cpu_s,
        }

    return run


CASES = tuple(
    Case(f"rebalance-{name}", says, rebalancing(name), budget_s=30.0)
    for name, says in {
        "classic": "100 members of a classic group start together, then 10 leave",
        "consumer": "100 members of a KIP-848 group start together, then 10 leave",
    }.items()
)
