"""Attacks on what gpufluid reads and does, one module for each kind.

Each module has ``attacks(random)``, which makes attacks without end, and ``judge(...)``, which carries one out and
returns None, or a description of what went wrong.
"""
