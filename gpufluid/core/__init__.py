"""Facts and helpers that every other room rests on."""
