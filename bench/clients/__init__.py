"""What a record costs in each client for Python: ours, and three others.

Owns the programs that drive one client each, and what starts them in turns. It measures clients
only: the broker is the same for all of them.

Reading order: meter, ours, confluent, aio, kafka_python, load, goals, __main__.
"""
