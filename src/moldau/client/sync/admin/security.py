"""Who may log in, what each may do, and how much of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from moldau.client.core import admin as calls
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.sync.admin.asking import Asking

if TYPE_CHECKING:
    from moldau.client.core.admin.acls import AclFilter, AclRule
    from moldau.client.core.admin.quotas import QuotaEntity, QuotaMatch
    from moldau.client.core.admin.scram import ScramDeletion, ScramInfo, ScramUpsertion
    from moldau.client.core.admin.tokens import DelegationToken

__all__ = ["SecurityCalls"]


class SecurityCalls(Asking):
    """Credentials, access rules, tokens and quotas."""

    def describe_client_quotas(
        self,
        match: Mapping[str, str | QuotaMatch | None] | None = None,
        *,
        strict: bool = False,
    ) -> dict[QuotaEntity, dict[str, float]]:
        """Quotas by entity: of all, or of those that have these parts; strict: and no other.

        `{"user": "alice", "client-id": None}` is alice's default for client ids, and
        `QuotaMatch.ANY` stands for any name.
        """
        return self._hold(calls.describe_client_quotas(self._call(), match, strict=strict))

    def alter_client_quotas(
        self,
        changes: Mapping[QuotaEntity, Mapping[str, float | None]],
        *,
        validate_only: bool = False,
    ) -> Outcomes[QuotaEntity, None]:
        """Set quotas of entities (`entity_of`), or with None remove them."""
        return self._hold(
            calls.alter_client_quotas(self._call(), changes, validate_only=validate_only)
        )

    def describe_user_scram_credentials(
        self, users: Iterable[str] | None = None
    ) -> Outcomes[str, tuple[ScramInfo, ...]]:
        """Which credentials users have, without what they are made of."""
        return self._hold(calls.describe_user_scram_credentials(self._call(), users))

    def alter_user_scram_credentials(
        self, changes: Iterable[ScramUpsertion | ScramDeletion]
    ) -> Outcomes[str, None]:
        """Give users passwords, or take them away."""
        return self._hold(calls.alter_user_scram_credentials(self._call(), changes))

    def create_acls(self, rules: Iterable[AclRule]) -> Outcomes[AclRule, None]:
        """Add access rules."""
        return self._hold(calls.create_acls(self._call(), rules))

    def describe_acls(self, wanted: AclFilter | None = None) -> list[AclRule]:
        """The rules that match, or all."""
        return self._hold(calls.describe_acls(self._call(), wanted))

    def delete_acls(
        self, filters: Iterable[AclFilter]
    ) -> Outcomes[AclFilter, Outcomes[AclRule, None]]:
        """Delete the rules that match; which they were."""
        return self._hold(calls.delete_acls(self._call(), filters))

    def create_delegation_token(
        self,
        *,
        renewers: Iterable[str] = (),
        max_lifetime_ms: int | None = None,
        owner: str | None = None,
    ) -> DelegationToken:
        """A token for the caller, or for another owner; principals are written `User:alice`."""
        return self._hold(
            calls.create_delegation_token(
                self._call(), renewers=renewers, max_lifetime_ms=max_lifetime_ms, owner=owner
            )
        )

    def renew_delegation_token(self, hmac: bytes, period_ms: int | None = None) -> int:
        """When it expires now."""
        return self._hold(calls.renew_delegation_token(self._call(), hmac, period_ms))

    def expire_delegation_token(self, hmac: bytes, period_ms: int | None = None) -> int:
        """When it expires now; None ends it at once."""
        return self._hold(calls.expire_delegation_token(self._call(), hmac, period_ms))

    def describe_delegation_token(
        self, owners: Iterable[str] | None = None
    ) -> list[DelegationToken]:
        """The tokens that the caller may see, of these owners or of all."""
        return self._hold(calls.describe_delegation_token(self._call(), owners))
