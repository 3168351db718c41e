"""The ranks that stay up from test to test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.standing import Team

MOST_RANKS = 7


@pytest.fixture(scope="session")
def team() -> Iterator[Team]:
    """Ranks for programs that leave nothing behind: see `Team`."""
    team = Team(MOST_RANKS)
    yield team
    team.close()
