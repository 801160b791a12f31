"""Security on a loop; what it does in full is tested through the blocking twin."""

from __future__ import annotations

import pytest

from moldau.client import RefusedError
from moldau.client.admin import AclFilter, AclRule, ScramUpsertion, entity_of
from moldau.client.core.admin.choices import AccessOperation, ResourceKind
from tests.client.aio.admin.test_asking import asked


def test_calls_about_security(our_node, topic):
    """A broker of Kafka has what its controller has answered a moment later: the twin waits."""

    async def work(admin):
        user = entity_of({"user": topic})
        (await admin.alter_client_quotas({user: {"producer_byte_rate": 5.0}})).all()
        assert (await admin.describe_client_quotas())[user] == {"producer_byte_rate": 5.0}
        (await admin.alter_user_scram_credentials([ScramUpsertion(topic, "p")])).all()
        assert len((await admin.describe_user_scram_credentials([topic]))[topic]) == 1
        rule = AclRule("User:a", AccessOperation.READ, ResourceKind.TOPIC, topic)
        assert rule in (await admin.create_acls([rule])).errors
        assert AclFilter() in (await admin.delete_acls([AclFilter()])).errors
        with pytest.raises(RefusedError, match="SECURITY_DISABLED"):
            await admin.describe_acls()

    asked(our_node, work)


def test_calls_about_tokens(around):
    async def work(admin):
        for call in (
            admin.create_delegation_token(),
            admin.renew_delegation_token(b"1"),
            admin.expire_delegation_token(b"1"),
            admin.describe_delegation_token(),
        ):
            with pytest.raises(RefusedError, match="DELEGATION_TOKEN"):
                await call

    asked(around, work)
