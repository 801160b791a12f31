"""What the calls of clients are given, in every form in which programs write it.

Each module turns the arguments of one client into the plain types of the core; `places` holds
topics, partitions, patterns and times, `records` what is sent.
"""
