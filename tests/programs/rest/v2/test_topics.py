"""Topics by version 2."""


def test_a_topic_has_its_settings_and_partitions(rest, made):
    assert made in rest.get("/topics")
    assert rest.get("/brokers") == {"brokers": [1]}
    found = rest.get(f"/topics/{made}")
    assert (found["name"], found["configs"]["cleanup.policy"]) == (made, "delete")
    replicas = [{"broker": 1, "leader": True, "in_sync": True}]
    second = {"partition": 1, "leader": 1, "replicas": replicas}
    assert found["partitions"][1] == rest.get(f"/topics/{made}/partitions/1") == second
    assert len(rest.get(f"/topics/{made}/partitions")) == 2


def test_who_asks_at_the_root_learns_that_the_proxy_serves(rest):
    assert rest.ask("GET", "/") == (200, {})


def test_what_is_not_there_has_the_codes_of_the_convention(rest, made):
    paths = ("/topics/nope", f"/topics/{made}/partitions/2", f"/topics/{made}/partitions/x/offsets")
    codes = [rest.ask("GET", path) for path in paths]
    assert [(status, body["error_code"]) for status, body in codes] == [
        (404, 40401),
        (404, 40402),
        (404, 40402),
    ]
