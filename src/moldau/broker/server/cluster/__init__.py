"""The cluster as a whole: versions, nodes, features, log directories.

Reading order: api_versions, describe_cluster, update_features, unregister_broker, elect_leaders,
describe_log_dirs, alter_replica_log_dirs.
"""
