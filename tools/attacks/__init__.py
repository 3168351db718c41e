"""Hostile inputs, a module for each kind of file, and the judgement of what gpufluid does with one."""
