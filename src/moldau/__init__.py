"""Apache Kafka 4, the whole system, in Python.

The public names of the project are exported here; packages are imported by their own names.
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
