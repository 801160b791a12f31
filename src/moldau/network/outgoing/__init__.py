"""Connections that this process opens: to brokers, to controllers, from clients and from nodes.

Owns one connection's requests and answers, the choice of versions, the waits before another try,
and the place where a fresh connection is protected by TLS or SASL. It does not know what is asked,
and whom to ask is decided above.

Reading order: backoff, versions, traffic, peer, protection, login, tls, web, assertions, tokens,
bearer_login, kerberos_login, dialer, channel, channels.
"""
