"""What Kafka's settings have to say about TLS, and what a certificate says about its owner.

The protection itself is the platform's (`platform.ports.tls`); nothing here touches a byte that is
sent.

Reading order: terms (of settings), distinguished_name, principal_rules, renewal, failures.
"""
