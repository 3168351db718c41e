"""The only floor that calls OpenGL: context, shaders, textures, dispatch, readback."""
