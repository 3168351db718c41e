"""The only room that calls OpenGL: context, shaders, textures, dispatch, readback."""
