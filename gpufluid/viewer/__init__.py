"""The window: watch a world, paint into it, stop it, look closer. `Viewer` is all of it but the window itself."""
