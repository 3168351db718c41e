#version 430
// Bodies of liquid, third part: every cell takes its body's label; and which cells are open surfaces.
// Twin: oracle.pressure.flatten.
#include "generated/images.glsl"
#include "pressure/linking.glsl"
#include "generated/matter.glsl"

#include "generated/way.glsl"

void main()
{
    ivec2 frame = frame_size(size), first = owned_strip();
    if (first.x >= frame.x || first.y >= frame.y)
        return;
    int rows = min(STRIP_HEIGHT, frame.y - first.y);
    uint uppermost = 0u, body = 0u, open = 0u;
    for (int row = 0; row < rows; row++) {
        ivec2 at = first + ivec2(0, row);
        uint link = label_at(at);
        if (link == 0u)
            continue;
        if (link != uppermost) { // else it hangs, as those above it do, on one that has been followed
            uppermost = label_of_place(at);
            body = end_of_links(link);
        }
        imageStore(labels, at, uvec4(body));
        open |= is_open(at) ? bit_of(at) : 0u;
        if (body == label_of_place(at)) {
            imageStore(sources, at, uvec4(0u));
            imageStore(sinks, at, uvec4(0u));
        }
    }
    imageStore(surfaces, strip_with(first), uvec4(open));
}
