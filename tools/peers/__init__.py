"""What else a Python user would run: the same laws, or plainer ones, in other libraries, for ``compare_peers.py``.

Each module needs one library and is imported only where it is asked for; none of them is a dependency of gpufluid.
"""
