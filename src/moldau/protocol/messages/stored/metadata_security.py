"""Metadata records of rules and secrets, written by the active controller.

Access rules are keyed by an id made at creation, SCRAM credentials by user and mechanism, tokens by
their id. Salted keys and token data lie here in the clear: a reader of the log can log in.
"""

from __future__ import annotations

from moldau.protocol.wire.schema import MetadataRecord
from moldau.protocol.wire.types import Bytes, Int8, Int32, Int64, String, Uuid


class AccessControlEntryRecord(MetadataRecord, key=18, versions="0", flexible="0+"):
    """Records an access rule."""

    id: Uuid
    """Made up at creation; removal names it."""
    resource_type: Int8
    """2 topic, 3 group, 4 cluster, 5 transactional id, 6 token, 7 user."""
    resource_name: String
    pattern_type: Int8
    """3 literal, 4 prefixed."""
    principal: String
    host: String
    operation: Int8
    permission_type: Int8
    """2 deny, 3 allow."""


class RemoveAccessControlEntryRecord(MetadataRecord, key=19, versions="0", flexible="0+"):
    """Records that an access rule is gone."""

    id: Uuid


class UserScramCredentialRecord(MetadataRecord, key=11, versions="0", flexible="0+"):
    """Records a user's SCRAM credential; it replaces an earlier one."""

    name: String
    mechanism: Int8
    """1 SCRAM-SHA-256, 2 SCRAM-SHA-512."""
    salt: Bytes
    stored_key: Bytes
    server_key: Bytes
    iterations: Int32


class RemoveUserScramCredentialRecord(MetadataRecord, key=22, versions="0", flexible="0+"):
    """Records that a SCRAM credential is gone."""

    name: String
    mechanism: Int8
    """1 SCRAM-SHA-256, 2 SCRAM-SHA-512."""


class DelegationTokenRecord(MetadataRecord, key=10, versions="0", flexible="0+"):
    """Records a delegation token, and each renewal of it."""

    owner: String
    """`Type:name`, as the next two."""
    requester: String
    renewers: list[String]
    issue_timestamp: Int64
    max_timestamp: Int64
    """No renewal goes beyond."""
    expiration_timestamp: Int64
    """Ends here unless renewed."""
    token_id: String


class RemoveDelegationTokenRecord(MetadataRecord, key=26, versions="0", flexible="0+"):
    """Records that a delegation token is gone."""

    token_id: String
