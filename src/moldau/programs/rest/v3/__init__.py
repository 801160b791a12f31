"""Version 3 of the API: the cluster as resources with links, and records one by one.

Reading order: clusters, topics, partitions, configs, groups, lags, acls, parts (keys and values),
produce, records, events, table.
"""
