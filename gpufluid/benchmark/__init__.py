"""The benchmark: the speed of every rule on this machine, compared with the machine's memory bandwidth.

`planning` chooses the rows to measure, `measuring` measures one row, `session` runs a plan and stores the results.
`report` reads and writes results; `tables`, `plotting` and `comparing` present them. The worlds of a rule are in
``workloads/<rule>.py``.
"""
