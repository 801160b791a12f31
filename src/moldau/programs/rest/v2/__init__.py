"""Version 2 of the API: records in lists, and consumers that live in the proxy.

Reading order: media (types and formats), topics, produce, instances (consumers that live here),
homes (those of other proxies), reading, consumers, table.
"""
