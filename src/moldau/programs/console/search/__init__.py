"""Searching records by SQL: DuckDB runs a query over a topic while it is read.

Reading order: query (what of a topic a query can need), running (DuckDB, in a thread), routes.
"""
