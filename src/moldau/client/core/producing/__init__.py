"""What a producer decides: which records go together, where to, when, and under which number.

Reading order: outcome, batch, murmur2, partitioners, lane, accumulator, answers, events,
transaction, requests, sender, dialogues, prepared.
"""
