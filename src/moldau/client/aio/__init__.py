"""Drives `client.core` over the ports: sends what it wants sent, and tells it what came.

Reading order: world, peer, pool, driver, fetching, connection.
"""
