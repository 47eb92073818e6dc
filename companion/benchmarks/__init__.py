"""Benchmarks: what the program promises of its speed and safety, measured. Each gives its figures."""
