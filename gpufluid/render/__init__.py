"""Rendering of world states: RGB frames, overlays with legends, PNG, GIF and MP4. Floats never return into a state."""
