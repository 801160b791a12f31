"""What several pages look up in a cluster, in pieces, so that others are served meanwhile.

Reading order: long_lists (answers in slices), all_topics, log_offsets, stored (in log directories),
settings_shown.
"""
