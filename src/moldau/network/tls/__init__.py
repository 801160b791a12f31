"""Kafka's settings of TLS, and the principal that a certificate has.

The protection itself is the platform's (`platform.ports.tls`); nothing here touches a byte that is
sent.

Reading order: terms (of settings), distinguished_name, principal_rules, renewal, failures.
"""
