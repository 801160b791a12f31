"""Pages about a cluster as a whole: brokers, charts, transactions, pipelines and schemas.

Reading order: overview, loggers, samples and sampling (for charts), transactions, hanging
(transactions that nothing ends), pipelines, subjects (of a registry).
"""
