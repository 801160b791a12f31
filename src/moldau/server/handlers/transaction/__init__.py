"""Transactions: their coordinator, their markers, and what tools ask."""
