"""Logins, credentials, rules of access and delegation tokens.

Reading order: sasl_handshake, sasl_authenticate; describe_acls, create_acls, delete_acls;
describe_user_scram_credentials, alter_user_scram_credentials; token_access,
create_delegation_token, renew_delegation_token, expire_delegation_token,
describe_delegation_token.
"""
