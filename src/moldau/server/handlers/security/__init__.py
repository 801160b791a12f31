"""Proving who one is, and the rules of access."""
