"""`MixtureBodies`: the bodies of a mixture, of rule ``pressure``, that lie in the parts of several ranks.

In each round the ranks join what they know of these bodies.

- Before `pressure.offer`, the highest level that may give and the lowest that may take, and whether another body has
  closed a surface of it, which bit `ADOPTED` of the label at its place says.
- Before `pressure.see_winners`, the best offers. So all know the cell that gives and the cell that takes.
- Before `pressure.transfer_in_part`, the amounts in these cells. So each rank finds the flow, and changes those of the
  two cells that are its own, or lie in its halo near the border, where the next round reads them. Beside rule ``heat``
  that is done before `pressure.transfer_heat`, with the heat in these cells.

Each of these is a maximum, or bits that are set: of each the greatest word is the right one.
"""

from __future__ import annotations

from gpufluid.cluster.joined_sets import JoinedSets
from gpufluid.rules import Pass
from gpufluid.rules.pressure import ADOPTED, HEATS, HIGHEST, LABELS, LOWEST, SINKS, SOURCES, STORED, WINNERS

_JOINED = {"levels": (HIGHEST, LOWEST, LABELS), "offers": (SOURCES, SINKS), "winners": (WINNERS,)}
_JOINED_WITH_HEAT = {**_JOINED, "heats": (WINNERS, HEATS), "winners": ()}


class MixtureBodies:
    """The bodies of a mixture that cross the borders of one rank.

    Args:
        sets: the sets of connected cells of rule ``pressure``.
        has_heat: whether the world has rule ``heat``.
    """

    def __init__(self, sets: JoinedSets, has_heat: bool) -> None:
        self._sets, self._joined = sets, _JOINED_WITH_HEAT if has_heat else _JOINED

    def forget(self) -> None:
        """Begin a tick in which no body at a border is active."""
        self._sets.forget()

    def join(self, pass_: Pass, run: int, tick: int) -> None:
        """Join what `Pass.joins` names before a pass. All ranks call it.

        Args:
            pass_: the pass.
            run, tick: not used.
        """
        del run, tick
        if pass_.joins == "labels":
            self._sets.unite(STORED)
        elif self._sets.shared.count == 0:
            return  # on all ranks
        elif joined := self._joined[pass_.joins]:
            self._sets.join_greatest(joined, marks=ADOPTED)

    def release(self) -> None:
        """Release what reads the scratch; call it before the scratch is released."""
        self._sets.release()
