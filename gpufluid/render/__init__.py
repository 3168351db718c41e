"""State to pictures: RGB frames, overlays with their legends, PNG, GIF and MP4. The only floats that show."""
