"""Settings of topics and brokers."""

from __future__ import annotations


def test_settings_are_read_set_and_reset(rest, made):
    place = f"topics/{made}/configs"
    assert rest.v3("PUT", f"{place}/retention.ms", {"value": "1000"}) == (204, None)
    found = rest.v3("GET", f"{place}/retention.ms")[1]
    assert (found["value"], found["is_default"]) == ("1000", False)
    assert (found["source"], found["topic_name"]) == ("DYNAMIC_TOPIC_CONFIG", made)
    changes = [
        {"name": "retention.ms", "operation": "DELETE"},
        {"name": "segment.ms", "value": "9"},
    ]
    assert rest.v3("POST", f"{place}:alter", {"data": changes}) == (204, None)
    listed = {one["name"]: one["value"] for one in rest.v3("GET", place)[1]["data"]}
    assert (listed["retention.ms"], listed["segment.ms"]) == ("604800000", "9")
    assert rest.v3("DELETE", f"{place}/segment.ms") == (204, None)
    assert rest.v3("GET", f"{place}/segment.ms")[1]["source"] == "DEFAULT_CONFIG"
    everywhere = rest.v3("GET", "topics/-/configs")[1]["data"]
    assert made in {one["topic_name"] for one in everywhere}


def test_changes_that_cannot_be_are_refused_and_change_nothing(rest, made):
    place, name = f"topics/{made}/configs", "cleanup.policy"
    twice = [{"name": name, "value": "compact"}, {"name": name, "value": "delete"}]
    valueless = [{"name": name, "operation": "APPEND"}]
    in_an_object = [{"name": name, "value": {"a": 1}}]
    codes = [
        rest.code("POST", f"{place}:alter", {"data": data})
        for data in (twice, valueless, [{"name": name}], in_an_object, [{"value": "1"}])
    ]
    assert codes == [(400, 40002), (400, 40002), (400, 40002), (400, 400), (400, 400)]
    assert rest.code("PUT", f"{place}/{name}", {}) == (400, 40002)
    assert rest.v3("GET", f"{place}/{name}")[1]["source"] == "DEFAULT_CONFIG"


def test_settings_of_all_brokers_are_set_and_reset(rest):
    place = "broker-configs/log.cleaner.threads"
    assert rest.v3("PUT", place, {"value": "2"}) == (204, None)
    found = rest.v3("GET", place)[1]
    assert (found["value"], found["config_type"]) == ("2", "BROKER")
    own = rest.v3("GET", "brokers/1/configs/log.cleaner.threads")[1]
    assert (own["value"], own["source"]) == ("2", "DYNAMIC_DEFAULT_BROKER_CONFIG")
    assert rest.v3("DELETE", place) == (204, None)
    listed = rest.v3("GET", "brokers/-/configs")[1]["data"]
    assert ("log.cleaner.threads", "1") in {(one["name"], one["value"]) for one in listed}


def test_a_setting_that_there_is_not_is_404_and_nothing_is_changed(rest, made):
    """As in Confluent's proxy: only for all brokers what is changed need not be set before."""
    data = [{"name": "retention.ms", "value": "1000"}, {"name": "no.such", "value": "1"}]
    for place in (f"topics/{made}/configs", "brokers/1/configs"):
        assert rest.code("POST", f"{place}:alter", {"data": data}) == (404, 404)
        assert rest.code("PUT", f"{place}/no.such", {"value": "1"}) == (404, 404)
        assert rest.code("DELETE", f"{place}/no.such") == (404, 404)
    assert rest.code("DELETE", "broker-configs/no.such") == (404, 404)
    assert rest.v3("GET", f"topics/{made}/configs/retention.ms")[1]["source"] == "DEFAULT_CONFIG"


def test_settings_of_several_topics_are_changed_at_once(rest, made):
    other = f"{made}-other"
    rest.v3("POST", "topics", {"topic_name": other, "partitions_count": 1})

    def asked(name, first, second, **more):
        data = [
            {"topic_name": topic, "configs": [{"name": name, "value": value}]}
            for topic, value in ((made, first), (other, second))
        ]
        return rest.v3("POST", "topics/-/configs:alter", {"data": data, **more})

    def found(topic):
        return rest.v3("GET", f"topics/{topic}/configs/retention.ms")[1]["value"]

    assert asked("retention.ms", "1", "2", validate_only=True) == (204, None)
    assert found(made) == "604800000"
    assert asked("retention.ms", "1000", "2000") == (204, None)
    assert (found(made), found(other)) == ("1000", "2000")
    status, body = asked("retention.ms", "3000", "soon")
    (failure,) = body["failures"]
    assert (status, failure["topic_name"], failure["error_code"]) == (207, other, 40002)
    assert (found(made), found(other)) == ("3000", "2000")
    assert asked("no.such", "1", "1")[0] == 404
    gone = {"data": [{"topic_name": "never-made", "configs": []}]}
    assert rest.code("POST", "topics/-/configs:alter", gone) == (404, 40403)
