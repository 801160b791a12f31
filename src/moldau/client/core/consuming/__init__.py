"""What a consumer decides: who it is in its group, what it may read, and from where.

Reading order: group_state, subscription, assignors, protocol, classic, epochs, places, beginnings,
recovery, record, unpacking, records, unread, returned, handed_out.
"""
