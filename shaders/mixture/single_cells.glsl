// Layout of look: each invocation owns one cell.
#include "generated/unit.glsl"

layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;

void main()
{
    ivec2 cell = unit();
    if (cell.x >= extent().x || cell.y >= extent().y)
        return;
    begin();
    work_on(cell);
    report(cell);
}
