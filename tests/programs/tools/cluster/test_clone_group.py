"""`moldau clone-group` at a real node."""

from moldau.client import Consumer
from moldau.client.admin import Admin


def offsets(node, group):
    with Admin(node) as admin:
        found = admin.list_consumer_group_offsets(group)[group]
    return {tuple(part): one.offset for part, one in found.items() if one is not None}


def test_a_group_goes_on_where_another_is(call, node, group, topic):
    target = f"{group}-2"
    code, lines = call(f"clone-group {group} {target} --dry-run")
    assert (code, lines[-1]) == (0, "Nothing was changed (--dry-run).")
    assert offsets(node, target) == {}
    assert call(f"clone-group {group} {target}")[0] == 0
    assert offsets(node, target) == {(topic, 0): 1, (topic, 1): 0}
    assert call(f"clone-group {group} {target}")[1] == [
        f"Group {target} is already where {group} is."
    ]


def test_a_group_without_offsets_is_refused(call, errors):
    assert call("clone-group no-such other")[0] == 1
    assert "has no committed offsets" in errors.getvalue()


def test_a_group_with_members_is_refused(call, node, group, topic, errors):
    with Consumer(node, group_id=f"{group}-3", auto_offset_reset="earliest") as consumer:
        consumer.subscribe(topic)
        while not consumer.poll(1.0):
            pass
        assert call(f"clone-group {group} {group}-3")[0] == 1
    assert "has members" in errors.getvalue()
