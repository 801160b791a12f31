"""Members of groups of consumers are removed; those of share groups are refused."""

import uuid

import pytest
from confluent_kafka import Consumer

from moldau.client import ShareConsumer
from tests.programs.console.shell import pasted


def joined(console, topic, **more):
    group = f"group-{uuid.uuid4().hex[:8]}"
    settings = {"bootstrap.servers": console.bootstrap, "group.id": group, **more}
    consumer = Consumer(settings)
    consumer.subscribe([topic])
    while not consumer.assignment():
        consumer.poll(0.2)
    return group, consumer


def members(console, group):
    return [one["member"] for one in console.get(f"/groups/{group}")["members"]]


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize("by_command", [False, True])
def test_a_member_is_removed(console, topic, tmp_path, protocol, static, by_command):
    more = {"group.protocol": protocol, **({"group.instance.id": "first"} if static else {})}
    group, consumer = joined(console, topic, **more)
    (member,) = members(console, group)
    given = {"group": group, "member": member}
    plan = console.plan("remove-member", **given)
    ((what, before, after),) = plan["differences"]
    assert (what, member in before, after) == (f"member of {group}", True, None)
    if by_command:
        pasted(plan["command"], tmp_path)
    else:
        assert console.run("remove-member", **given)["undo"] is None
    assert member not in members(console, group)  # its client has not been polled since
    status, sentence = console.refusal("POST", "/changes/remove-member/plan", given)
    assert (status, "its page has those" in sentence) == (404, True)
    consumer.close()


def test_a_member_of_a_share_group_only_leaves_by_itself(console, topic):
    share = f"share-{uuid.uuid4().hex[:8]}"
    with ShareConsumer(console.bootstrap, group_id=share) as reader:
        reader.subscribe(topic)
        reader.poll(1)
        body = {"group": share, "member": members(console, share)[0]}
        status, sentence = console.refusal("POST", "/changes/remove-member/plan", body)
    assert (status, "of the kind share" in sentence) == (400, True)
