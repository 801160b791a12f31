"""Quotas, users and rules as changes."""

from tests.programs.console.shell import pasted

RULE = {
    "principal": "User:ann",
    "permission": "deny",
    "operation": "describe_configs",
    "kind": "topic",
    "name": "a b",
    "pattern": "prefixed",
}


def test_a_rule_is_a_command_and_a_difference(console):
    plan = console.plan("add-acl", **RULE)
    assert "--deny-principal User:ann --operation DescribeConfigs --topic 'a b'" in plan["command"]
    assert plan["differences"] == [
        ["rule", None, "deny User:ann describe_configs on topic a b…"],
    ]
    assert plan["undo"] == ["remove-acl", RULE]
    body = {**RULE, "operation": "fly"}
    assert console.refusal("POST", "/changes/add-acl/plan", body)[0] == 400


def test_a_quota_is_set_and_its_undo_gives_it_up(console):
    entity = {"user": "bob", "client-id": None}
    done = console.run("set-quota", entity=entity, values={"consumer_byte_rate": 5e6})
    assert "--user bob --client-defaults --add-config consumer_byte_rate=5000000" in done["command"]
    kind, body = done["undo"]
    console.run(kind, **body)
    exact = console.plan("set-quota", entity=entity, values={"request_percentage": 1234.56789})
    assert exact["command"].endswith("request_percentage=1234.56789")
    assert not [one for one in console.get("/quotas") if ["user", "bob"] in one["entity"]]


def test_a_password_is_in_no_command_and_no_line_of_the_audit(console):
    console.run("set-user", user="carl", password="open sesame")
    assert "open sesame" not in str(console.get("/audit"))


def test_the_command_asks_for_the_password(console, tmp_path):
    plan = console.plan("set-user", user="dora", password="open sesame")
    assert "open sesame" not in plan["command"]
    pasted(plan["command"], tmp_path, "another\n")
    assert "dora" in {one["user"] for one in console.get("/users")}
    console.run("delete-user", user="dora")


def test_a_password_is_taken_away(console):
    console.run("set-user", user="carl", password="open sesame")
    done = console.run("delete-user", user="carl")
    assert done["command"].endswith("--user carl --delete-config SCRAM-SHA-512")
    assert "carl" not in {one["user"] for one in console.get("/users")}
