// The unit of work of this invocation, of all units of the world. Units are counted as in gpufluid/gpu/shares.py.
ivec2 unit() { return invocation(); }
