"""What is asked of single partitions beside their records: offsets by time and epoch, and cuts.

Reading order: list_offsets, offset_for_leader_epoch, delete_records.
"""
