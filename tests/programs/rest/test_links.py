"""Links and names of resources."""

from moldau.programs.http.messages import Request
from moldau.programs.rest.links import Links, collection, related

LINKS = Links.of(Request("GET", "/", headers={"host": "proxy:8082"}), "c1")


def test_a_link_begins_with_the_host_that_was_asked_for():
    assert LINKS.to("topics", "a b/c", "configs") == (
        "http://proxy:8082/v3/clusters/c1/topics/a%20b%2Fc/configs"
    )


def test_a_thing_has_its_place_and_its_name():
    found = LINKS.resource("KafkaTopic", ("topics", "t"), {"topic": "t"}, topic_name="t")
    assert found["metadata"] == {
        "self": "http://proxy:8082/v3/clusters/c1/topics/t",
        "resource_name": "crn:///kafka=c1/topic=t",
    }
    assert (found["cluster_id"], found["topic_name"]) == ("c1", "t")


def test_a_list_has_all_there_are():
    assert collection("KafkaTopicList", "here", [related("there")]) == {
        "kind": "KafkaTopicList",
        "metadata": {"self": "here", "next": None},
        "data": [{"related": "there"}],
    }
