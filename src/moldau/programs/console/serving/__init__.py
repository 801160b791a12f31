"""A console that runs: its listener, its guard, its logins, and each user's clients.

Reading order: guard (origin, headers), pages (files), tenant (what
one user has), served (one cluster and its users), clusters (several in one console), oidc and
sessions (logins at an identity provider), service.
"""
