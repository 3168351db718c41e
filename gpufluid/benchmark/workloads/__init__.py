"""The worlds in which a rule is measured: ``workloads/<rule>.py`` holds ``WORKLOADS``, found by the rule's name."""
