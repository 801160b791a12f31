"""Share groups, as their members see them (KIP-932): records are acquired, and acknowledged.

Reading order: held, ahead, sessions, share_membership, share_reading.
"""
