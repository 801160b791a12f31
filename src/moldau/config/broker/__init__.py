"""The settings of a node, one file per theme; `settings.py` puts them together.

Reading order: node, quorum, network, logs, replication, groups, shares, transactions, watching,
security, oauth, tls, remote, schemas; then listeners, which reads addresses, and checks, which
holds settings against each other.
"""
