"""Groups as assignors see them."""

from __future__ import annotations

from moldau.broker.coordinator.group.consumer.assignor.spec import MemberSpec, subscribed_ids
from tests.broker.coordinator.group.consumer.assignor.groups import group, member, topic


def test_members_stand_in_javas_order():
    spec = group({}, b=member(""), a=member(""), q=member(""))
    assert spec.member_ids() == ["a", "q", "b"]


def test_a_subscription_is_a_set_as_large_as_what_was_asked_for():
    asked = MemberSpec((topic("t"), topic("u")), name_count=40)
    assert set(subscribed_ids(asked)) == {topic("t"), topic("u")}
