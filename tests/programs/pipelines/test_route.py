"""Covers moldau.programs.pipelines.route."""

from __future__ import annotations

from moldau.programs.pipelines.route import Route


def test_options_of_the_source_are_the_routes_the_pipelines_and_the_users_in_this_order():
    route = Route(
        bootstrap="h:1",
        topic="t",
        lake="lake",
        checkpoint="c",
        source={"maxOffsetsPerTrigger": "3", "startingOffsets": "latest"},
    )
    options = route.source_options(maxOffsetsPerTrigger="5", minPartitions="2")
    assert options["subscribe"] == "t"
    assert options["startingOffsets"] == "latest"
    assert (options["maxOffsetsPerTrigger"], options["minPartitions"]) == ("3", "2")
    assert route.table("gold") == "lake/gold"
