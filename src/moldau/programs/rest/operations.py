"""What each route of the proxy is for, and what it takes and answers: its OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from moldau.programs.http.accepting import accepting
from moldau.programs.http.messages import Request, Response
from moldau.programs.http.openapi import NOTHING, Operation, document
from moldau.programs.http.routes import Route
from moldau.programs.rest.bodies import MEDIA_TYPE, reply
from moldau.programs.rest.v2.consumers import GROUP as GROUP_V2
from moldau.programs.rest.v2.consumers import INSTANCE
from moldau.programs.rest.v2.media import FORMATS, V2, WITHOUT_FORMAT, media_of
from moldau.programs.rest.v2.topics import PARTITION as PARTITION_V2
from moldau.programs.rest.v2.topics import TOPIC as TOPIC_V2
from moldau.programs.rest.v3.acls import ACLS
from moldau.programs.rest.v3.acls import PARTS as ACL_PARTS
from moldau.programs.rest.v3.clusters import CLUSTER, CLUSTERS
from moldau.programs.rest.v3.columns import ARROW
from moldau.programs.rest.v3.events import EVENTS
from moldau.programs.rest.v3.groups import CONSUMER, GROUP, GROUPS
from moldau.programs.rest.v3.partitions import PARTITION, PARTITIONS
from moldau.programs.rest.v3.sockets import SEND, STREAM
from moldau.programs.rest.v3.topics import TOPIC, TOPICS

__all__ = ["OPERATIONS", "with_document"]

PATH: Final = "/openapi.json"
OBJECT, ARRAY, TEXT, NUMBER, FLAG = "object", "array", "string", "integer", "boolean"
SWITCHING, CREATED, MULTI_STATUS = 101, 201, 207
EACH_FORMAT: Final = tuple(media_of(name) for name in FORMATS)
ANSWERS_V2: Final = (*WITHOUT_FORMAT, *EACH_FORMAT)
"""Clients of consumers name the format of their records with every request."""
RULE: Final = dict.fromkeys(ACL_PARTS, TEXT)
RECORD: Final = {
    "partition_id": f"{NUMBER}?",
    "headers": f"{ARRAY}?",
    "key": f"{OBJECT}?",
    "value": f"{OBJECT}?",
    "timestamp": f"{TEXT}?",
}
LIST_V2: Final = {
    "records": ARRAY,
    "key_schema": f"{TEXT}?",
    "key_schema_id": f"{NUMBER}?",
    "value_schema": f"{TEXT}?",
    "value_schema_id": f"{NUMBER}?",
}
CONSUMER_V2: Final = {
    "name": f"{TEXT}?",
    "format": f"{TEXT}?",
    "auto.offset.reset": f"{TEXT}?",
    "auto.commit.enable": f"{TEXT}?",
    "fetch.min.bytes": f"{TEXT}?",
    "isolation.level": f"{TEXT}?",
    "max.poll.records": f"{TEXT}?",
}


def _settings(path: str, of: str) -> dict[tuple[str, str], Operation]:
    """Below one owner of settings."""
    value = {"value": f"{TEXT}?"}
    several = {"data": ARRAY, "validate_only": f"{FLAG}?"}
    return {
        ("GET", path): Operation(f"Settings of {of}", OBJECT),
        ("POST", f"{path}:alter"): Operation(
            f"Set and reset settings of {of}", NOTHING, body=several
        ),
        ("GET", f"{path}/{{name}}"): Operation(f"A setting of {of}", OBJECT),
        ("PUT", f"{path}/{{name}}"): Operation("Set it", NOTHING, body=value),
        ("DELETE", f"{path}/{{name}}"): Operation("Set it back", NOTHING),
    }


V3: Final[Mapping[tuple[str, str], Operation]] = {
    ("GET", CLUSTERS): Operation("The cluster, in a list", OBJECT),
    ("GET", CLUSTER): Operation("The cluster", OBJECT),
    ("GET", f"{CLUSTER}/brokers"): Operation("Brokers", OBJECT),
    ("GET", f"{CLUSTER}/brokers/{{broker_id}}"): Operation("A broker", OBJECT),
    ("GET", f"{CLUSTER}/brokers/{{broker_id}}/partition-replicas"): Operation(
        "What a broker holds", OBJECT
    ),
    ("GET", TOPICS): Operation("Topics", OBJECT),
    ("POST", TOPICS): Operation(
        "Create a topic",
        OBJECT,
        body={
            "topic_name": TEXT,
            "partitions_count": f"{NUMBER}?",
            "replication_factor": f"{NUMBER}?",
            "configs": f"{ARRAY}?",
            "replicas_assignments": f"{ARRAY}?",
            "validate_only": f"{FLAG}?",
        },
        status=CREATED,
        also=200,
    ),
    ("GET", TOPIC): Operation("A topic", OBJECT, ("include_authorized_operations?",)),
    ("PATCH", TOPIC): Operation("Add partitions", OBJECT, body={"partitions_count": NUMBER}),
    ("DELETE", TOPIC): Operation("Delete a topic", NOTHING),
    ("GET", PARTITIONS): Operation("Partitions", OBJECT),
    ("GET", PARTITION): Operation("A partition", OBJECT),
    ("GET", f"{PARTITION}/offset"): Operation("Where it begins and ends", OBJECT, ("offset_type",)),
    ("GET", f"{PARTITION}/replicas"): Operation("Its replicas", OBJECT),
    ("GET", f"{PARTITION}/replicas/{{broker_id}}"): Operation("A replica", OBJECT),
    ("GET", f"{PARTITION}/reassignment"): Operation("How it moves", OBJECT),
    ("GET", f"{PARTITIONS}/-/reassignment"): Operation("What moves of a topic", OBJECT),
    ("GET", f"{CLUSTER}/topics/-/partitions/-/reassignment"): Operation("What moves", OBJECT),
    ("GET", f"{CLUSTER}/topics/-/configs"): Operation("Settings of all topics", OBJECT),
    ("POST", f"{CLUSTER}/topics/-/configs:alter"): Operation(
        "Set and reset settings of several topics",
        NOTHING,
        body={"data": ARRAY, "validate_only": f"{FLAG}?"},
        also=MULTI_STATUS,
    ),
    ("GET", f"{CLUSTER}/brokers/-/configs"): Operation("Settings of each broker", OBJECT),
    **_settings(f"{TOPIC}/configs", "a topic"),
    **_settings(f"{CLUSTER}/brokers/{{broker_id}}/configs", "a broker"),
    **_settings(f"{CLUSTER}/broker-configs", "all brokers"),
    ("GET", GROUPS): Operation("Groups", OBJECT),
    ("GET", GROUP): Operation("A group", OBJECT),
    ("GET", f"{GROUP}/consumers"): Operation("Its members", OBJECT),
    ("GET", CONSUMER): Operation("A member", OBJECT),
    ("GET", f"{CONSUMER}/assignments"): Operation("What it reads", OBJECT),
    ("GET", f"{CONSUMER}/assignments/{{topic_name}}/partitions/{{partition_id}}"): Operation(
        "One of them", OBJECT
    ),
    ("GET", f"{GROUP}/lags"): Operation("How far a group is behind", OBJECT),
    ("GET", f"{GROUP}/lags/{{topic_name}}/partitions/{{partition_id}}"): Operation(
        "How far in a partition", OBJECT
    ),
    ("GET", f"{GROUP}/lag-summary"): Operation("How far in sum", OBJECT),
    ("GET", ACLS): Operation("Access rules", OBJECT, ACL_PARTS),
    ("POST", ACLS): Operation("Add a rule", NOTHING, body=RULE, status=CREATED),
    ("POST", f"{ACLS}:batch"): Operation("Add rules", OBJECT, body={"data": ARRAY}, status=CREATED),
    ("DELETE", ACLS): Operation("Delete the rules that match", OBJECT, ACL_PARTS),
    ("POST", f"{TOPIC}/records"): Operation(
        "Send records, one object behind the other; each has a report",
        OBJECT,
        body=RECORD,
        takes=(MEDIA_TYPE, ARROW),
    ),
    ("POST", f"{TOPIC}/records:batch"): Operation(
        "Send records with an id each", OBJECT, body={"entries": ARRAY}, status=MULTI_STATUS
    ),
    ("GET", f"{TOPIC}/records"): Operation(
        "Records as events",
        TEXT,
        ("from", "offsets", "format", "partition_id#"),
        media=EVENTS,
    ),
    ("GET", STREAM): Operation(
        "A WebSocket that sends records as events",
        NOTHING,
        ("from", "offsets", "format", "partition_id#"),
        status=SWITCHING,
    ),
    ("GET", SEND): Operation(
        "A WebSocket that takes records; each has a report", NOTHING, status=SWITCHING
    ),
    ("GET", f"{PARTITION}/records"): Operation(
        "Records by their offsets; as a stream of Arrow where that is accepted",
        OBJECT,
        ("offset#", "count#", "format"),
        others=(ARROW,),
    ),
}


def _v2(
    summary: str,
    answer: str = NOTHING,
    query: tuple[str, ...] = (),
    body: Mapping[str, str] | None = None,
    takes: tuple[str, ...] = (V2,),
) -> Operation:
    return Operation(summary, answer, query, body, media=V2, takes=takes)


PLACES: Final = {"partitions": ARRAY}
LISTED: Final[Mapping[tuple[str, str], Operation]] = {
    ("GET", "/"): _v2("Whether the proxy serves", OBJECT),
    ("GET", "/brokers"): _v2("Ids of brokers", OBJECT),
    ("GET", "/topics"): _v2("Names of topics", ARRAY),
    ("GET", TOPIC_V2): _v2("A topic", OBJECT),
    ("POST", TOPIC_V2): _v2("Send records", OBJECT, body=LIST_V2, takes=EACH_FORMAT),
    ("GET", f"{TOPIC_V2}/partitions"): _v2("Partitions", ARRAY),
    ("GET", PARTITION_V2): _v2("A partition", OBJECT),
    ("POST", PARTITION_V2): _v2("Send records to it", OBJECT, body=LIST_V2, takes=EACH_FORMAT),
    ("GET", f"{PARTITION_V2}/offsets"): _v2("Its first and its next offset", OBJECT),
    ("POST", GROUP_V2): _v2("Create a consumer", OBJECT, body=CONSUMER_V2),
    ("DELETE", INSTANCE): _v2("End a consumer"),
    ("GET", f"{INSTANCE}/subscription"): _v2("What it subscribes to", OBJECT),
    ("POST", f"{INSTANCE}/subscription"): _v2(
        "Subscribe", body={"topics": f"{ARRAY}?", "topic_pattern": f"{TEXT}?"}
    ),
    ("DELETE", f"{INSTANCE}/subscription"): _v2("Subscribe to nothing"),
    ("GET", f"{INSTANCE}/assignments"): _v2("What it reads", OBJECT),
    ("POST", f"{INSTANCE}/assignments"): _v2("Assign partitions", body=PLACES),
    ("GET", f"{INSTANCE}/records"): Operation(
        "Records", ARRAY, ("timeout#", "max_bytes#"), media=EACH_FORMAT[0], others=EACH_FORMAT[1:]
    ),
    ("GET", f"{INSTANCE}/offsets"): _v2("What is committed", OBJECT, body=PLACES),
    ("POST", f"{INSTANCE}/offsets"): _v2("Commit", ARRAY, body={"offsets": f"{ARRAY}?"}),
    ("POST", f"{INSTANCE}/positions"): _v2("Go on elsewhere", body={"offsets": ARRAY}),
    ("POST", f"{INSTANCE}/positions/beginning"): _v2("Go on at the beginning", body=PLACES),
    ("POST", f"{INSTANCE}/positions/end"): _v2("Go on at the end", body=PLACES),
}
OPERATIONS: Final[Mapping[tuple[str, str], Operation]] = {**V3, **LISTED}


def with_document(routes: list[Route]) -> list[Route]:
    """These, and the document of them."""
    found: dict[str, Any] = document("Kafka over HTTP", MEDIA_TYPE, routes, OPERATIONS)

    def answer(_request: Request) -> Response:
        return reply(found)

    return [*map(_accepting, routes), Route("GET", PATH, answer)]


def _accepting(route: Route) -> Route:
    """For those who take what it answers with; what comes in several forms looks for itself."""
    operation = OPERATIONS[route.method, route.pattern]
    if operation.others or operation.status == SWITCHING:
        return route
    kinds = ANSWERS_V2 if operation.media == V2 else (operation.media or MEDIA_TYPE,)
    return accepting(route, kinds)
