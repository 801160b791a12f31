"""Topics and their partitions: metadata for clients, and changes for the controller.

Reading order: metadata with metadata_reader, describe_topic_partitions, answers (encoded once),
lost_brokers (whose process has just ended); creation (of topics that are named before they exist),
doubles (named twice), create_topics, create_partitions, delete_topics, changes (as lines of the
log).
"""
