"""The cluster as a whole: versions, nodes, features, log directories.

Reading order: api_versions, describe_cluster, describe_log_dirs, alter_replica_log_dirs.
"""
