// Gravity's frame: coordinates in which gravity points down, whatever its direction in the world. A rule written in the
// frame holds for every direction: a turned world runs turned, to the last bit. Twin: gpufluid/core/frame.py.
#include "generated/gravity.glsl"

const bool UPRIGHT = GRAVITY != GRAVITY_LEFT && GRAVITY != GRAVITY_RIGHT;

// The size of a world in the frame.
ivec2 frame_size(ivec2 size) { return UPRIGHT ? size : size.yx; }

// The cell of the world at a place of the frame.
ivec2 to_world(ivec2 at, ivec2 size)
{
    switch (GRAVITY) {
    case GRAVITY_UP:
        return size - 1 - at;
    case GRAVITY_RIGHT:
        return ivec2(at.y, size.y - 1 - at.x);
    case GRAVITY_LEFT:
        return ivec2(size.x - 1 - at.y, at.x);
    default:
        return at;
    }
}

// The place in the frame of a cell of the world.
ivec2 to_frame(ivec2 cell, ivec2 size)
{
    switch (GRAVITY) {
    case GRAVITY_UP:
        return size - 1 - cell;
    case GRAVITY_RIGHT:
        return ivec2(size.y - 1 - cell.y, cell.x);
    case GRAVITY_LEFT:
        return ivec2(cell.y, size.x - 1 - cell.x);
    default:
        return cell;
    }
}

// The place in the frame of a whole world at which the frame of one of its pieces begins. `origin` is the cell of the
// whole world at the piece's top left.
ivec2 piece_in_frame(ivec2 origin, ivec2 size, ivec2 whole_size)
{
    ivec2 far = whole_size - size - origin;
    switch (GRAVITY) {
    case GRAVITY_UP:
        return far;
    case GRAVITY_RIGHT:
        return ivec2(far.y, origin.x);
    case GRAVITY_LEFT:
        return ivec2(origin.y, far.x);
    default:
        return origin;
    }
}

// Convert a velocity from the frame to the world.
ivec2 turned_to_world(ivec2 velocity)
{
    switch (GRAVITY) {
    case GRAVITY_UP:
        return -velocity;
    case GRAVITY_RIGHT:
        return ivec2(velocity.y, -velocity.x);
    case GRAVITY_LEFT:
        return ivec2(-velocity.y, velocity.x);
    default:
        return velocity;
    }
}

// Convert a velocity from the world to the frame.
ivec2 turned_to_frame(ivec2 velocity)
{
    switch (GRAVITY) {
    case GRAVITY_UP:
        return -velocity;
    case GRAVITY_RIGHT:
        return ivec2(-velocity.y, velocity.x);
    case GRAVITY_LEFT:
        return ivec2(velocity.y, -velocity.x);
    default:
        return velocity;
    }
}
