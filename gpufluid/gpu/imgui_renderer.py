"""Draws imgui's panels, and the world's picture below them, with moderngl.

imgui's coordinates are pixels of the framebuffer, whatever the monitor's scale.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import TYPE_CHECKING

from imgui_bundle import imgui

if TYPE_CHECKING:
    import moderngl

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels from the top left."""

_PANEL_VERTEX = """#version 430
uniform vec2 size; // of the framebuffer, in pixels
in vec2 position; // in pixels from the top left
in vec2 at;
in vec4 colour;
out vec2 texel;
out vec4 tint;
void main()
{
    texel = at;
    tint = colour;
    gl_Position = vec4(position.x / size.x * 2.0 - 1.0, 1.0 - position.y / size.y * 2.0, 0.0, 1.0);
}
"""
_PANEL_FRAGMENT = """#version 430
uniform sampler2D image;
in vec2 texel;
in vec4 tint;
out vec4 colour;
void main()
{
    colour = tint * texture(image, texel);
}
"""
# One triangle covers the window. The picture has its top row first, the window has its bottom row first. On software
# GL `texture` with the nearest texel is fastest; `texelFetch` takes half as long again.
_PICTURE_VERTEX = """#version 430
out vec2 texel;
void main()
{
    vec2 corner = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
    texel = vec2(corner.x, 1.0 - corner.y);
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
"""
_PICTURE_FRAGMENT = """#version 430
uniform sampler2D image;
in vec2 texel;
out vec4 colour;
void main()
{
    colour = texture(image, texel);
}
"""
# A stretched picture keeps sharp pixels: only the pixels of the window that lie over an edge between two texels blend
# them. A shrunk picture is sampled linearly.
_STRETCHED_FRAGMENT = """#version 430
uniform sampler2D image;
uniform vec2 shown;    // texels across and down the window
uniform float stretch; // pixels of the window for each texel
in vec2 texel;
out vec4 colour;
void main()
{
    vec2 at = texel * shown, edge = floor(at + 0.5);
    at = edge + clamp((at - edge) * max(stretch, 1.0), -0.5, 0.5);
    colour = texture(image, at / vec2(textureSize(image, 0)));
}
"""
_VERTEX = "2f 2f 4f1"


class ImguiRenderer:
    """Draws imgui's draw data as triangles, and manages imgui's textures by the protocol of its version 1.92.

    Args:
        context: the context of the window; an imgui context must be current too.
    """

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._panels = context.program(vertex_shader=_PANEL_VERTEX, fragment_shader=_PANEL_FRAGMENT)
        self._picture = context.program(vertex_shader=_PICTURE_VERTEX, fragment_shader=_PICTURE_FRAGMENT)
        self._stretched = context.program(vertex_shader=_PICTURE_VERTEX, fragment_shader=_STRETCHED_FRAGMENT)
        self._vertices = context.buffer(reserve=1 << 16, dynamic=True)
        self._indices = context.buffer(reserve=1 << 16, dynamic=True)
        self._triangles = self._bound()
        self._cover = context.vertex_array(self._picture, [])
        self._stretched_cover = context.vertex_array(self._stretched, [])
        self._textures: dict[int, moderngl.Texture] = {}
        imgui.get_io().backend_flags |= int(imgui.BackendFlags_.renderer_has_textures)
        most = int(context.info["GL_MAX_TEXTURE_SIZE"])
        imgui.get_platform_io().renderer_texture_max_width = most
        imgui.get_platform_io().renderer_texture_max_height = most

    def shown(self, texture: moderngl.Texture) -> imgui.ImTextureRef:
        """The reference by which imgui draws a texture; the texture must live until the frame is drawn."""
        self._textures[texture.glo] = texture
        texture.repeat_x = texture.repeat_y = False  # its edges do not show the opposite ones
        return imgui.ImTextureRef(texture.glo)

    def forget(self, texture: moderngl.Texture) -> None:
        """Release a texture; no later frame may show it."""
        self._textures.pop(texture.glo, None)
        texture.release()

    def draw_picture(
        self,
        picture: moderngl.Texture,
        size: tuple[int, int],
        stretch: float = 1.0,
        inside: Box | None = None,
        beyond: tuple[float, ...] = (0.0, 0.0, 0.0),
    ) -> None:
        """Fill the window with a picture.

        Args:
            picture: a texture that covers the window, top row first.
            size: (width, height) of the window, in pixels.
            stretch: pixels of the window for each pixel of the picture, along each axis.
            inside: the rectangle outside of which the picture has one colour; None: the whole window. Outside of it
                the window is cleared to that colour, which on software OpenGL is many times as fast as drawing.
            beyond: that colour: red, green, blue, each 0 to 1.
        """
        context = self._context
        self._begin(size)
        if inside is not None:
            left, top, right, bottom = (round(side) for side in inside)
            red, green, blue = beyond
            context.screen.clear(red, green, blue, 1.0)
            context.screen.scissor = left, size[1] - bottom, max(right - left, 0), max(bottom - top, 0)
        context.enable_only(context.NOTHING)
        picture.use(0)
        if stretch == 1:
            picture.filter = context.NEAREST, context.NEAREST
            self._cover.render(context.TRIANGLES, vertices=3)
        else:
            self._draw_stretched(picture, size, stretch)
        context.screen.scissor = None  # pyright: ignore[reportAttributeAccessIssue]

    def _draw_stretched(self, picture: moderngl.Texture, size: tuple[int, int], stretch: float) -> None:
        """Draw a picture that is smaller or larger than the window; arguments as for `draw_picture`."""
        context = self._context
        picture.filter = context.LINEAR, context.LINEAR
        picture.repeat_x = picture.repeat_y = False
        self._stretched["shown"], self._stretched["stretch"] = (size[0] / stretch, size[1] / stretch), stretch
        self._stretched_cover.render(context.TRIANGLES, vertices=3)

    def draw_grounds(self, boxes: Iterable[Box], colour: tuple[float, float, float], size: tuple[int, int]) -> None:
        """Fill rectangles with an opaque colour, which is much faster than blending on software GL.

        Args:
            boxes: the rectangles.
            colour: red, green, blue, each 0 to 1.
            size: (width, height) of the window, in pixels.
        """
        self._begin(size)
        for box in boxes:
            left, top, right, bottom = (round(side) for side in box)
            viewport = (left, size[1] - bottom, right - left, bottom - top)
            self._context.screen.clear(*colour, 1.0, viewport=viewport)

    def draw_panels(self, size: tuple[int, int]) -> None:
        """Draw the panels of the last `imgui.render` over the window's content; ``size`` is the window's, in pixels."""
        data = imgui.get_draw_data()
        for texture in imgui.get_platform_io().textures:
            if texture.status != imgui.ImTextureStatus.ok:
                self._update(texture)
        context = self._context
        self._begin(size)
        context.enable_only(context.BLEND)
        context.blend_func = context.SRC_ALPHA, context.ONE_MINUS_SRC_ALPHA
        self._panels["size"] = size
        for commands in data.cmd_lists:
            self._draw_list(commands, size)
        context.screen.scissor = None  # pyright: ignore[reportAttributeAccessIssue]
        context.enable_only(context.NOTHING)

    def release(self) -> None:
        """Release all textures, buffers and programs; the imgui context must still exist."""
        for texture in imgui.get_platform_io().textures:
            texture.set_tex_id(0)
            texture.status = imgui.ImTextureStatus.destroyed
        imgui.get_io().backend_flags &= ~int(imgui.BackendFlags_.renderer_has_textures)
        for texture in self._textures.values():
            texture.release()
        covers = self._cover, self._stretched_cover, self._picture, self._stretched
        for part in (self._triangles, self._vertices, self._indices, self._panels, *covers):
            part.release()

    def _begin(self, size: tuple[int, int]) -> None:
        screen = self._context.screen
        screen.use()
        screen.viewport = (0, 0, *size)
        screen.scissor = None  # pyright: ignore[reportAttributeAccessIssue]

    def _draw_list(self, commands: imgui.ImDrawList, size: tuple[int, int]) -> None:
        vertices, indices = commands.vtx_buffer, commands.idx_buffer
        if not indices.size():
            return
        fits = self._load("_vertices", vertices.data_address(), vertices.size() * imgui.VERTEX_SIZE)
        fits &= self._load("_indices", indices.data_address(), indices.size() * imgui.INDEX_SIZE)
        if not fits:
            self._triangles.release()
            self._triangles = self._bound()
        for command in commands.cmd_buffer:
            clip = command.clip_rect
            left, top = max(0, int(clip.x)), max(0, int(clip.y))
            right, bottom = min(size[0], int(clip.z)), min(size[1], int(clip.w))
            if right <= left or bottom <= top:
                continue
            self._context.screen.scissor = left, size[1] - bottom, right - left, bottom - top
            self._textures[command.get_tex_id()].use(0)
            self._triangles.render(self._context.TRIANGLES, command.elem_count, first=command.idx_offset)

    def _load(self, name: str, address: int, length: int) -> bool:
        """Copy imgui's memory into a buffer; False: the buffer was too small, and a larger one was made."""
        buffer: moderngl.Buffer = getattr(self, name)
        fits = length <= buffer.size
        if not fits:
            buffer.release()
            buffer = self._context.buffer(reserve=2 * length, dynamic=True)
            setattr(self, name, buffer)
        buffer.write((ctypes.c_char * length).from_address(address))
        return fits

    def _bound(self) -> moderngl.VertexArray:
        content = [(self._vertices, _VERTEX, "position", "at", "colour")]
        return self._context.vertex_array(self._panels, content, self._indices, imgui.INDEX_SIZE)

    def _update(self, texture: imgui.ImTextureData) -> None:
        """Create, update or delete a texture of imgui, such as its font, as its status requests."""
        status = imgui.ImTextureStatus
        if texture.status == status.want_create:
            size = texture.width, texture.height
            made = self._context.texture(size, 4, texture.get_pixels_array().tobytes(), alignment=1)
            made.repeat_x = made.repeat_y = False
            self._textures[made.glo] = made
            texture.set_tex_id(made.glo)
            texture.status = status.ok
        elif texture.status == status.want_updates:
            pixels = texture.get_pixels_array().reshape(texture.height, texture.width, 4)
            for part in texture.updates:
                block = pixels[part.y : part.y + part.h, part.x : part.x + part.w]
                viewport = (part.x, part.y, part.w, part.h)
                self._textures[texture.tex_id].write(block.tobytes(), viewport, alignment=1)
            texture.status = status.ok
        elif texture.status == status.want_destroy and texture.unused_frames > 0:
            self.forget(self._textures[texture.tex_id])
            texture.set_tex_id(0)
            texture.status = status.destroyed
