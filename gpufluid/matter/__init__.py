"""What a world is made of: materials, transitions, reactions, mixtures, emitters and drains."""
