"""What a decision about access costs, with ten thousand rules, and what roles and an audit add.

Rules are for as many users, on names and on prefixes of seven lengths. Shown is the processor's
time of one decision, best of many rounds: where the same was asked before, and where it was not.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from moldau.broker.metadata.security import AccessRule
from moldau.broker.security.access import Operation, Resource
from moldau.broker.security.acls import AclAuthorizer
from moldau.broker.security.authorizer import Authorizer, Caller
from moldau.broker.server.audit.judging import AuditedAuthorizer
from moldau.network.principal import Principal
from moldau.platform.ports.network import Address

RULES = 10_000
ASKED = 5_000
ROUNDS = 7
LITERAL, PREFIXED, ALLOW = 3, 4, 3
PREFIX_SIZES = range(4, 11)


class User:
    """Who asks."""

    def __init__(self, number: int) -> None:
        self.principal = Principal("User", f"user-{number}")
        self.peer = Address("10.0.0.1", 1)


def rules(role: str | None = None) -> dict[bytes, AccessRule]:
    """By their ids; with a role each grants that in the place of one operation."""
    host, operation = ("*", Operation.READ) if role is None else (f"role:{role}", Operation.ALL)
    found = {}
    for number in range(RULES):
        is_prefixed = number % 2
        name = f"topic-{number:06}"[: PREFIX_SIZES[number % 7]] if is_prefixed else f"t{number}"
        pattern = PREFIXED if is_prefixed else LITERAL
        found[number.to_bytes(16, "big")] = AccessRule(
            Resource.TOPIC, name, pattern, f"User:user-{number}", host, operation, ALLOW
        )
    return found


def once(judge: Authorizer, asked: list[tuple[Caller, str]]) -> float:
    """Microseconds of one decision."""
    allows = judge.allows
    began = time.thread_time()
    for user, name in asked:
        allows(user, Operation.READ, Resource.TOPIC, name)
    return (time.thread_time() - began) / len(asked) * 1e6


def measured(make: Callable[[], Authorizer]) -> tuple[float, float]:
    """Where nothing was asked before, and where all was."""
    asked: list[tuple[Caller, str]] = [(User(number), f"t{number}") for number in range(ASKED)]
    first, again = [], []
    for _ in range(ROUNDS):
        judge = make()
        judge.allows(User(-1), Operation.READ, Resource.TOPIC, "t")
        first.append(once(judge, asked))
        again.append(once(judge, asked))
    return min(first), min(again)


def main() -> None:
    plain, roles = rules(), rules("DeveloperRead")
    judges: dict[str, Callable[[], Authorizer]] = {
        "10,000 rules": lambda: AclAuthorizer(lambda: plain),
        "10,000 roles": lambda: AclAuthorizer(lambda: roles),
        "10,000 rules, audited": lambda: AuditedAuthorizer(
            AclAuthorizer(lambda: plain), lambda *denied: None
        ),
    }
    print(f"{'':24}{'asked first':>14}{'asked again':>14}   us of the processor")
    for name, make in judges.items():
        first, again = measured(make)
        print(f"{name:24}{first:14.2f}{again:14.2f}")


if __name__ == "__main__":
    main()
