"""What all routes of version 3 refuse."""

from __future__ import annotations

REFUSED = {
    "another cluster": (("GET", "../nope/topics"), (404, 404)),
    "no such topic": (("GET", "topics/nope"), (404, 40403)),
    "no such partition": (("GET", "topics/{made}/partitions/7"), (404, 404)),
    "no number": (("GET", "topics/{made}/partitions/x"), (404, 404)),
    "no such broker": (("GET", "brokers/77/configs"), (404, 404)),
    "no such setting": (("GET", "topics/{made}/configs/nope"), (404, 404)),
    "no such group": (("GET", "consumer-groups/nope"), (404, 404)),
    "the topic is there": (("POST", "topics", {"topic_name": "{made}"}), (400, 40002)),
    "no name": (("POST", "topics", {}), (400, 400)),
    "a wrong name": (("POST", "topics", {"topic_name": "a/b"}), (400, 40002)),
    "not a number": (("POST", "topics", {"topic_name": "t", "partitions_count": "x"}), (400, 400)),
    "too many": (("POST", "topics", {"topic_name": "t", "partitions_count": 2**40}), (400, 400)),
    "fewer partitions": (("PATCH", "topics/{made}", {"partitions_count": 1}), (400, 40002)),
    "a wrong value": (("PUT", "topics/{made}/configs/retention.ms", {"value": "x"}), (400, 40002)),
    "not JSON": (("POST", "topics", b"{"), (400, 400)),
    "too deep": (("POST", "topics", b"[" * 100_000), (400, 400)),
    "no authorizer": (("GET", "acls"), (400, 40002)),
    "all rules at once": (("DELETE", "acls"), (400, 400)),
    "no such method": (("PUT", "topics"), (405, 405)),
    "no such path": (("GET", "nope"), (404, 404)),
}


def test_what_cannot_be_is_refused_with_the_codes_of_the_convention(rest, made):
    def code(method, path, *body):
        named = [
            {
                key: value.format(made=made) if isinstance(value, str) else value
                for key, value in one.items()
            }
            if isinstance(one, dict)
            else one
            for one in body
        ]
        path = path.format(made=made)
        if path.startswith("../"):
            status, found = rest.ask(method, f"/v3/clusters/{path[3:]}")
            return status, found["error_code"]
        return rest.code(method, path, *named)

    found = {name: code(*call) for name, (call, _) in REFUSED.items()}
    assert found == {name: wanted for name, (_, wanted) in REFUSED.items()}


def test_a_body_of_another_media_type_is_refused(rest):
    path = f"/v3/clusters/{rest.cluster}/topics"
    assert rest.ask("POST", path, {"topic_name": "t"}, "text/plain")[0] == 415
