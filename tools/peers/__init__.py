"""Programs in other Python libraries with the same laws, or simpler ones, for ``compare_peers.py``.

Each module needs one library, and is imported only when it is used; gpufluid depends on none of these libraries.
"""
