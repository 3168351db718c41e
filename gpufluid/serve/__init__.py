"""A viewer in a browser: `Desk` holds the viewer and its people, `website` speaks HTTP, `serving` runs both."""
