"""A world on the GPU: `Simulation`, the planning and running of its ticks, tuning and editing."""
