"""A probe from end to end: records of its own to every broker, timed until they are read again.

Reading order: figures (what was measured, as Prometheus reads it), prober (what sends and reads),
service.
"""
