// Update labels and surfaces when a cell leaves its body or joins a body.
void show_surface(ivec2 at) { atomic_or_surfaces(strip_with(at), bit_of(at)); }
void hide_surface(ivec2 at) { atomic_and_surfaces(strip_with(at), ~bit_of(at)); }

void leave_body(ivec2 at)
{
    store_labels(at, 0u);
    hide_surface(at);
}

void join_body(ivec2 at, uint label)
{
    store_labels(at, label);
    show_surface(at);
}
