"""Clusters and brokers, by HTTP before a node of ours."""

from __future__ import annotations

OWN = ("kind", "metadata", "cluster_id")


def test_every_link_of_a_cluster_leads_to_what_is_there(rest):
    found = rest.get("/v3/clusters")
    assert (found["kind"], found["metadata"]["next"]) == ("KafkaClusterList", None)
    cluster = found["data"][0]
    assert cluster["metadata"]["resource_name"] == f"crn:///kafka={rest.cluster}"
    links = {name: part["related"] for name, part in cluster.items() if name not in OWN}
    assert all(
        link.startswith(f"{rest.url}/v3/clusters/{rest.cluster}/") for link in links.values()
    )
    del links["acls"]  # this node has no authorizer
    kinds = {name: rest.get(link.removeprefix(rest.url))["kind"] for name, link in links.items()}
    assert kinds == {
        "controller": "KafkaBroker",
        "brokers": "KafkaBrokerList",
        "broker_configs": "KafkaClusterConfigList",
        "consumer_groups": "KafkaConsumerGroupList",
        "topics": "KafkaTopicList",
        "partition_reassignments": "KafkaReassignmentList",
    }


def test_a_broker_holds_the_replicas_of_every_topic(rest, made):
    broker = rest.v3("GET", "brokers")[1]["data"][0]
    assert (broker["broker_id"], broker["host"]) == (1, "127.0.0.1")
    held = rest.get(broker["partition_replicas"]["related"].removeprefix(rest.url))["data"]
    assert [one["partition_id"] for one in held if one["topic_name"] == made] == [0, 1]
