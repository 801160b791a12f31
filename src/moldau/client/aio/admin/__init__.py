"""The admin client on the program's own loop: one file for each subject, and no decisions.

Reading order: asking, topics, configs, groups, cluster, security, transactions, client.
"""
