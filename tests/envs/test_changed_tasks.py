"""Options of a task: more rules and other parameters of its worlds; all others are refused by name."""

from __future__ import annotations

import gymnasium
import pytest

import gpufluid.envs  # noqa: F401  registers the tasks
from gpufluid.core.errors import GpufluidError, UnknownNameError, UsageError

pytestmark = pytest.mark.usefixtures("device")
POUR = "gpufluid/Pour-v0"


def test_rules_and_parameters_of_a_task_are_those_of_its_worlds() -> None:
    options = {"rules": ["heat"], "parameters": {"atoms": {"acceleration": 0.5}, "heat": {"ambient": 40.0}}}
    many = gymnasium.make_vec(POUR, num_envs=2, **options)
    many.reset(seed=1)
    laws = [world.laws for world in many.games.batch.read()]
    assert all(each.rules == ("atoms", "heat") for each in laws)
    assert all(each.parameters["atoms"]["acceleration"] == 0.5 for each in laws)
    assert all(each.parameters["heat"]["ambient"] == 40.0 for each in laws)
    many.step(many.action_space.sample())
    many.close()


@pytest.mark.parametrize("make", [gymnasium.make, gymnasium.make_vec])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": (64, 64)}, "size: task Pour has 32 by 32 cells; another size is another task"),
        ({"rulse": ["heat"]}, "'rulse': unknown option of a task; did you mean 'rules'?"),
        ({"rules": ["haet"]}, "unknown rule 'haet'; did you mean 'heat'?"),
        ({"rules": "heat"}, "rules: 'heat'; expected a list of rules"),
        ({"parameters": {"atmos": {}}}, "rule 'atmos' is not among this world's rules"),
        ({"parameters": {"atoms": {"substep": 2}}}, "did you mean 'substeps'?"),
        ({"parameters": {"atoms": 3}}, "parameters.atoms: 3; expected names and values"),
        ({"parameters": {"atoms.hop": 3}}, "3; expected names and values: {'atoms': {'hop': 3}}"),
        ({"parameters": {"heat": {}}}, "rule 'heat' is not among this world's rules ['atoms']; add 'heat' to rules"),
        ({"parameters": 3}, "parameters: 3; expected values by rule and name"),
    ],
)
def test_a_wrong_option_of_a_task_is_refused_by_name(make, options: dict, message: str) -> None:
    with pytest.raises(GpufluidError) as caught:
        make(POUR, **options)
    assert message in str(caught.value)


def test_a_name_that_a_game_does_not_have_is_told_with_its_neighbour() -> None:
    many = gymnasium.make_vec(POUR, num_envs=1)
    many.reset(seed=1)
    game = many.games.game
    for call in (lambda: game.count("watr"), lambda: game.cells("wall", "watr")):
        with pytest.raises(UnknownNameError, match="unknown material 'watr'; did you mean 'water'"):
            call()
    with pytest.raises(UnknownNameError, match="'spuot': no entry of this task; did you mean 'spout'"):
        game["spuot"]
    with pytest.raises(UsageError, match="'cpu': no entry of this task; did you mean 'cup'"):
        game["cpu"] = 3
    many.close()
