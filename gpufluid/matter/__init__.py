"""Tables of matter and their checks: materials, transitions, reactions, mixtures, emitters and drains."""
