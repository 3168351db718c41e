"""`World`: the state of a simulation, with its laws, domain, ledgers, statistics and validation."""

from gpufluid.world.domain import Domain
from gpufluid.world.laws import SIZE_LIMIT
from gpufluid.world.world import World

__all__ = ["SIZE_LIMIT", "Domain", "World"]
