"""What a consumer decides: who it is in its group, what it may read, and from where.

Reading order: group_state, assignors, protocol, classic, epochs, places, beginnings, record,
unpacking, records, unread, handed_out.
"""
