"""The benchmark: what this machine does with worlds of every rule, and how far from its limit that is.

`planning` decides what is measured, `measuring` measures one world, `session` runs a plan and keeps what was measured;
`report` is the answer as data, `tables`, `plotting` and `comparing` show it. A rule brings its own worlds, in
``workloads/<rule>.py``.
"""
