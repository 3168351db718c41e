"""A viewer in a browser: `Session` holds the viewer and its pages, `website` speaks HTTP, `serving` runs both."""
