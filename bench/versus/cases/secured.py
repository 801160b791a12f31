"""TLS, logins and access rules: what they cost a broker.

Both kinds of node get listeners for SSL and SASL_SSL beside the plain one, with a certificate of
the curve P-256, and the authorizer. They are nodes of their own, which stay from the first of these
cases to the end of the run, and these cases run where they are named.
"""

from __future__ import annotations

from bench.versus.asking import Connection
from bench.versus.cases.consume import FILL, MEGABYTES, RECORD_BYTES
from bench.versus.cases.produce import GB, MB, PARTITIONS, Produce
from bench.versus.cases.small_requests import asking
from bench.versus.generators.running import generate
from bench.versus.load import CONSUMER, PRODUCER, LoadFailedError
from bench.versus.model import Case, Run, Sample, Turn, at_most
from bench.versus.performance_tools import consumed
from bench.versus.secured import PASSWORD, USER, Secured, secured
from bench.versus.sides import Side
from moldau.protocol.messages.security.create_acls import CreateAclsRequest, CreateAclsResponse

TLS_CPU = at_most("cpu_s_per_gb", 0.6)
LOGINS_CPU = at_most("cpu_s", 0.5)
RULES_MEMORY = at_most("memory_mb", 0.1)

LOGINS = 1_000
RULES = 10_000
RULES_AT_ONCE = 500
CONNECTIONS = 10
TOPIC, READ, ALLOW, LITERAL, PREFIXED = 2, 3, 3, 3, 4


class SecureProduce(Produce):
    """The load of `produce-64k` at the listener with TLS."""

    def __call__(self, side: Side, turn: Turn) -> Sample:
        node = secured(side, turn)
        try:
            return super().__call__(node, turn)
        finally:
            node.delete_topic(turn.topic)

    def arguments(self, side: Side, turn: Turn) -> list[object]:
        assert isinstance(side, Secured)
        return with_tls(side, list(super().arguments(side, turn)))


def with_tls(node: Secured, words: list[object]) -> list[object]:
    """The same for another listener; the last words are the client's settings."""
    words[words.index(node.bootstrap)] = node.secure_bootstrap
    return [*words, *(f"{key}={value}" for key, value in node.client_settings().items())]


def fill(side: Side, turn: Turn) -> None:
    """Once, by the plain listener."""
    node = secured(side, turn)
    if node.segments(turn.kept_topic):
        return
    node.create_topic(turn.kept_topic, PARTITIONS)
    arguments = list(FILL.arguments(node, turn))
    arguments[arguments.index(turn.topic)] = turn.kept_topic
    turn.java.run(PRODUCER, *arguments)


def consume(side: Side, turn: Turn) -> Sample:
    node = secured(side, turn)
    count = turn.scaled(MEGABYTES * MB // RECORD_BYTES)
    with node.metered() as spent:
        found = by_tls(node, turn, count)
    cpu = {"cpu_s_per_gb": spent.cpu_s / (count * RECORD_BYTES / GB)}
    return {**cpu, **found, "memory_mb": node.memory_mb()}


def by_tls(node: Secured, turn: Turn, count: int) -> Sample:
    place = ("--bootstrap-server", node.secure_bootstrap, "--topic", turn.kept_topic)
    words = [*place, "--num-records", count, "--group", turn.topic]
    for key, value in node.client_settings().items():
        words += ["--command-property", f"{key}={value}"]
    found = consumed(turn.java.run(CONSUMER, *words))
    if found.records < count:
        raise LoadFailedError(f"{node.name} gave {found.records} of {count} records.")
    return {"mb_per_s": found.mb_per_s}


def log_in(side: Side, turn: Turn) -> Sample:
    """A connection each: the handshake of TLS, SCRAM, one request, and the end."""
    node, count = secured(side, turn), turn.scaled(LOGINS)
    with node.metered() as spent:
        words = (node.login_port, node.trusted, count, USER, PASSWORD)
        found: dict[str, float] = generate("logins", *words)
    return {"cpu_s": spent.cpu_s / count * LOGINS, "memory_mb": node.memory_mb(), **found}


def rules(side: Side, turn: Turn) -> None:
    """For as many users, on names and on prefixes; one of them is for who asks."""
    node = secured(side, turn)
    filters = [rule(number) for number in range(turn.scaled(RULES))]
    creation = CreateAclsRequest.AclCreation
    filters.append(_made(creation, "rules", PREFIXED, "User:ANONYMOUS"))
    with Connection(node.port) as connection:
        for start in range(0, len(filters), RULES_AT_ONCE):
            request = CreateAclsRequest(creations=filters[start : start + RULES_AT_ONCE])
            for one in connection.ask(request, CreateAclsResponse, 3).results:
                assert not one.error_code, one


def rule(number: int) -> CreateAclsRequest.AclCreation:
    is_prefix = number % 2
    name = f"topic-{number:06}"[: 4 + number % 7] if is_prefix else f"t{number}"
    pattern = PREFIXED if is_prefix else LITERAL
    return _made(CreateAclsRequest.AclCreation, name, pattern, f"User:user-{number}")


def _made(
    creation: type[CreateAclsRequest.AclCreation], name: str, pattern: int, principal: str
) -> CreateAclsRequest.AclCreation:
    return creation(
        resource_type=TOPIC,
        resource_name=name,
        resource_pattern_type=pattern,
        principal=principal,
        host="*",
        operation=READ,
        permission_type=ALLOW,
    )


def behind(question: str) -> Run:
    """Small requests at the plain listener, whose every one is decided by the rules."""
    ask = asking(question, CONNECTIONS)

    def run(side: Side, turn: Turn) -> Sample:
        node = secured(side, turn)
        try:
            found = ask(node, turn)
        finally:
            node.delete_topic(turn.topic)
        return {**found, "memory_mb": node.memory_mb()} if found else found

    return run


CASES = (
    Case(
        "tls-produce-64k",
        "batches of 64 KiB over TLS, acks 1",
        SecureProduce(),
        (TLS_CPU,),
        is_secured=True,
    ),
    Case(
        "tls-consume",
        "from the page cache, over TLS",
        consume,
        (TLS_CPU,),
        prepare=fill,
        is_secured=True,
    ),
    Case(
        "tls-logins",
        "1,000 connections with TLS that log in by SCRAM",
        log_in,
        (LOGINS_CPU,),
        is_secured=True,
    ),
    Case(
        "rules-10000",
        "metadata of one topic by 10 connections, behind 10,000 access rules",
        behind("metadata"),
        (RULES_MEMORY,),
        prepare=rules,
        is_secured=True,
    ),
)
