"""Attacks on what gpufluid reads and does, one module for each kind; ``tools/attack.py`` runs them.

The module of a kind of file has ``attacks(random)``, which draws files without end, each as (what is wrong in it, its
content), and ``judge(path)``, which reads one. The module of another kind has ``attack(random)``, which draws an
attack, whose text says all that is needed to make it again, and ``judge(attack)``, which carries it out. Both judges
return None, or a sentence on what went wrong.
"""
