"""The answer of each operation, as a shape from which the OpenAPI document has its schema.

They stand together so that a reader of the API finds them in one place. Tests validate each answer
that they read against the document.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from moldau.programs.console.api.shapes import ByName, Maybe, Shape

__all__ = ["ANSWERS", "CHANGED", "PLANNED"]

PLANNED: Final[Mapping[str, Shape]] = {
    "command": "string",
    "differences": [("string", "string?", "string?")],
    "warning": "string?",
    "undo": Maybe(("string", ByName("any"))),
}
"""Of a change: what, before and after; and the kind and the body of what takes it back."""
CHANGED: Final[Mapping[str, Shape]] = {**PLANNED, "result": Maybe(ByName("any"))}

_SETTINGS: Final[Shape] = [
    {
        "name": "string",
        "value": "string?",
        "source": "string",
        "is_default": "boolean",
        "is_read_only": "boolean",
        "is_sensitive": "boolean",
        "chain": [{"name": "string", "value": "string?", "source": "string"}],
    }
]
_REPLICA: Final[Shape] = {
    "id": "integer",
    "log_end_offset": "integer",
    "lag": "integer",
    "last_fetch": "integer?",
    "last_caught_up": "integer?",
}
_QUORUM: Final[Shape] = Maybe(
    {
        "leader": "integer",
        "epoch": "integer",
        "high_watermark": "integer",
        "voters": [_REPLICA],
        "observers": [_REPLICA],
    }
)
_PLACED: Final[Mapping[str, Shape]] = {
    "partition": "integer",
    "leader": "integer?",
    "epoch": "integer?",
    "replicas": ["integer"],
    "isr": ["integer"],
}
_DATA: Final[Shape] = Maybe(
    {
        "size": "integer",
        "is_cut": "boolean",
        "is_masked?": "boolean",
        "format": "string",
        "text": "string",
        "schema?": {
            "id": "any",
            "type": "string",
            "subject?": "string",
            "version?": "integer",
        },
        "decoded_by?": "string",
        "reason?": "string?",
    }
)
_OFFSETS: Final[Mapping[str, Shape]] = {
    "topic": "string",
    "partition": "integer",
    "committed": "integer?",
    "end": "integer?",
    "lag": "integer?",
    "client": "string?",
    "member": "string?",
}
_BATCH: Final[Shape] = {
    "query": "string",
    "batch": "integer",
    "read": "integer",
    "good": "integer",
    "rejected": "integer",
    "known": "integer",
    "took_ms": "number",
    "rate": "number",
}
_RULE: Final[Mapping[str, Shape]] = {
    "principal": "string",
    "kind": "string",
    "name": "string",
    "pattern": "string",
}

ANSWERS: Final[Mapping[str, Shape]] = {
    "/api": {
        "version": "string",
        "cluster": "string?",
        "cluster_id": "string?",
        "servers": "string",
        "user": "string?",
        "is_read_only": "boolean",
        "can_log_out": "boolean",
        "has_schemas": "boolean",
        "formats": [
            {"name": "string", "topics": "string?", "parts": ["string"], "encodes": "boolean"}
        ],
    },
    "/api/clusters": [{"name": "string", "is_read_only": "boolean"}],
    "/api/openapi.json": ByName("any"),
    "/api/cluster": {
        "cluster_id": "string",
        "controller": "integer?",
        "brokers": [
            {
                "id": "integer",
                "host": "string",
                "port": "integer",
                "rack": "string?",
                "is_fenced": "boolean",
                "is_controller": "boolean",
                "log_dirs": [
                    {
                        "path": "string",
                        "error": "string?",
                        "replicas": "integer",
                        "bytes": "integer",
                        "total_bytes": "integer?",
                        "usable_bytes": "integer?",
                        "largest": [{"topic": "string", "bytes": "integer"}],
                    }
                ],
            }
        ],
        "quorum": _QUORUM,
        "quorum_error": "string?",
        "features": Maybe(
            [{"name": "string", "level": "integer", "min": "integer", "max": "integer"}]
        ),
        "features_error": "string?",
        "log_dirs_error": "string?",
    },
    "/api/map": {
        "time": "integer",
        "controller": "integer?",
        "brokers": [{"id": "integer", "rack": "string?", "is_fenced": "boolean"}],
        "quorum": _QUORUM,
        "partitions": [_PLACED],
    },
    "/api/brokers/{broker}/configs": _SETTINGS,
    "/api/topics": {
        "columns": ["string"],
        "rows": [("string", "integer", "integer", "integer", "integer", "integer")],
        "has_more": "boolean",
    },
    "/api/brokers/{broker}/loggers": [{"logger": "string", "level": "string"}],
    "/api/sizes": {"columns": ["string"], "rows": [("string", "integer?", "integer?")]},
    "/api/topics/{topic}": {
        "name": "string",
        "id": "string?",
        "is_internal": "boolean",
        "partitions": [
            {
                **_PLACED,
                "offline": ["integer"],
                "start": "integer?",
                "end": "integer?",
                "bytes": "integer?",
            }
        ],
    },
    "/api/topics/{topic}/configs": _SETTINGS,
    "/api/topics/{topic}/groups": [
        {
            "group": "string",
            "type": "string",
            "state": "string",
            "lag": "integer",
            "partitions": "integer",
        }
    ],
    "/api/topics/{topic}/producers": [
        {
            "partition": "integer",
            "producer_id": "integer",
            "producer_epoch": "integer",
            "coordinator_epoch": "integer?",
            "last_sequence": "integer?",
            "last_timestamp": "integer?",
            "transaction_start": "integer?",
        }
    ],
    "/api/topics/{topic}/records": {
        "records": [
            {
                "partition": "integer",
                "offset": "integer",
                "timestamp": "integer",
                "key": _DATA,
                "value": _DATA,
                "headers": [{"name": "string", "value": _DATA}],
                "unseen": "string?",
            }
        ],
        "older": "string",
        "newer": "string",
        "start": "string",
        "end": "string",
    },
    "/api/samples": {"times": ["integer"], "rate": ["number?"], "records": ["number?"]},
    "/api/groups": {
        "groups": [{"group": "string", "type": "string", "state": "string"}],
        "errors": ["string"],
    },
    "/api/groups/{group}": {
        "group": "string",
        "type": "string",
        "state": "string",
        "coordinator": "integer?",
        "epoch": "integer?",
        "assignor": "string?",
        "members": [
            {
                "member": "string",
                "client": "string",
                "host": "string",
                "instance": "string?",
                "assignment": ["string"],
            }
        ],
        "offsets": [_OFFSETS],
    },
    "/api/groups/{group}/behind": {
        "group": "string",
        "state": "string",
        "members": "integer",
        "seconds": "number",
        "lag": "integer",
        "rate_in": "number",
        "rate_out": "number",
        "finding": {
            "cause": "string",
            "sentence": "string",
            "level": "string",
            "partitions": ["string"],
        },
        "rebalance": Maybe(
            {
                "after_ms": "integer",
                "before_ms": "integer",
                "why": "string",
                "epochs": Maybe(("integer", "integer")),
                "is_going_on": "boolean",
            }
        ),
        "watched_since": "integer",
        "partitions": [{**_OFFSETS, "rate_in": "number?", "rate_out": "number?"}],
    },
    "/api/lags": {"lags": [("string", "integer?")], "is_cut": "boolean"},
    "/api/subjects": {
        "rows": [("string", "integer", "integer", "string")],
        "level": "string",
        "problem": "string?",
    },
    "/api/subjects/{subject}": {
        "subject": "string",
        "versions": ["integer"],
        "deleted": ["integer"],
        "level": "string",
        "is_own_level": "boolean",
    },
    "/api/subjects/{subject}/versions/{version}": {
        "version": "integer",
        "id": "integer",
        "guid": "string?",
        "type": "string",
        "schema": "string",
        "references": [{"name": "string", "subject": "string", "version": "integer"}],
        "referenced_by": Maybe(["integer"]),
        "problem": "string?",
    },
    "/api/subjects/{subject}/check": {"conflicts": ["string"]},
    "/api/acls": [{**_RULE, "permission": "string", "operation": "string", "host": "string"}],
    "/api/quotas": [{"entity": [("string", "string?")], "values": ByName("number")}],
    "/api/users": [
        {
            "user": "string",
            "credentials": [{"mechanism": "string", "iterations": "integer"}],
        }
    ],
    "/api/roles": [{"role": "string", "on": ["string"], "allows": ByName(["string"])}],
    "/api/role-bindings": [{**_RULE, "role": "string"}],
    "/api/transactions": [
        {
            "id": "string",
            "state": "string",
            "coordinator": "integer?",
            "producer_id": "integer",
            "producer_epoch": "integer?",
            "timeout_ms": "integer?",
            "start": "integer?",
            "open_ms": "integer?",
            "partitions": ["string"],
        }
    ],
    "/api/transactions/hanging": {
        "partitions": "integer",
        "unseen": "integer",
        "hanging": [
            {
                "topic": "string",
                "partition": "integer",
                "producer_id": "integer",
                "producer_epoch": "integer",
                "start_offset": "integer",
                "last_timestamp": "integer?",
                "silent_ms": "integer?",
            }
        ],
    },
    "/api/reassignments": [
        {
            "topic": "string",
            "partition": "integer",
            "replicas": ["integer"],
            "adding": ["integer"],
            "removing": ["integer"],
        }
    ],
    "/api/pipelines": [
        {
            "checkpoint": "string",
            "problem": "string?",
            "pipeline?": "string",
            "topic?": "string",
            "lake?": "string?",
            "batch?": "integer?",
            "lag?": "integer?",
            "lag_ms?": "integer?",
            "rate?": "number?",
            "read?": "integer",
            "good?": "integer",
            "rejected?": "integer",
            "known?": "integer",
            "rows?": ByName("integer"),
            "sentence?": "string",
            "differences?": ["string"],
            "batches?": [_BATCH],
        }
    ],
    "/api/audit": [
        {"time": "integer", "user": "string?", "command": "string", "failure": "string?"}
    ],
}
