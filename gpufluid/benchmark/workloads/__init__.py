"""The workloads of each rule: ``workloads/<rule>.py`` defines ``WORKLOADS`` and is found by the rule's name."""
