"""Read settings with their sources; called by admin clients.

Questions about one broker or its loggers must go to that broker; any broker knows the rest.
Sensitive values are always null.

Versions: 1 synonyms and sources (KIP-226), 3 type and documentation (KIP-569), 4 flexible.
Resource types: 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group.
"""

from __future__ import annotations

from moldau.protocol.wire.declaration import at
from moldau.protocol.wire.schema import Request, Response, Struct
from moldau.protocol.wire.types import Bool, Int8, Int16, Int32, String


class DescribeConfigsRequest(
    Request, key=32, versions="1-4", flexible="4+", listeners=("broker", "controller")
):
    """Asks for the settings of resources."""

    resources: list[DescribeConfigsResource]
    include_synonyms: Bool = False
    """Also the places where a value could come from, nearest first."""
    include_documentation: Bool = at("3+", default=False)

    class DescribeConfigsResource(Struct):
        resource_type: Int8
        """2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group."""
        resource_name: String
        """Empty with type broker: the default of all brokers."""
        configuration_keys: list[String] | None
        """Null means all."""


class DescribeConfigsResponse(Response, key=32, versions="1-4", flexible="4+"):
    """Answers with value, source and nature of each setting."""

    throttle_time_ms: Int32
    results: list[DescribeConfigsResult]

    class DescribeConfigsResult(Struct):
        error_code: Int16
        error_message: String | None
        resource_type: Int8
        """2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group."""
        resource_name: String
        configs: list[DescribeConfigsResourceResult]

        class DescribeConfigsResourceResult(Struct):
            """One setting."""

            name: String
            value: String | None
            """Null if it is sensitive or not set."""
            read_only: Bool
            config_source: Int8 = at(default=-1, ignorable=True)
            """1 topic, 2 broker, 3 all brokers, 4 file, 5 default, 6 logger, 7 metrics, 8
            group.
            """
            is_sensitive: Bool
            synonyms: list[DescribeConfigsSynonym] = at(ignorable=True)
            config_type: Int8 = at("3+", default=0, ignorable=True)
            """1 boolean, 2 string, 3 int, 4 short, 5 long, 6 double, 7 list, 8 class, 9
            secret.
            """
            documentation: String | None = at("3+", ignorable=True)

            class DescribeConfigsSynonym(Struct):
                """A place that could give the value, and the one that it has."""

                name: String
                value: String | None
                source: Int8
