"""Benchmarks: one question per file, each printing one table; `./dev bench` lists them.

A benchmark's module has a docstring whose first line says what it measures, and a `main()` that
measures it. It prints the machine's part of the truth too: rounds, median and spread.
"""
