"""`World`: the one state type, with its laws, its ledgers, its statistics and its validation."""

from gpufluid.world.domain import Domain
from gpufluid.world.laws import SIZE_LIMIT
from gpufluid.world.world import World

__all__ = ["SIZE_LIMIT", "Domain", "World"]
