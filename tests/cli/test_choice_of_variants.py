"""``--variant`` and ``--awake``, and the measurement at the first start."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.choices import choice_of
from support.selection import mostly_long

from gpufluid import Simulation, World
from gpufluid.gpu import choices
from gpufluid.gpu.choices import Choice
from gpufluid.gpu.device import Device, shared_device
from gpufluid.gpu.variants import default, names_of
from gpufluid.runtime import tuning
from gpufluid.viewer import Viewer, window

RUN = ("run", "gas_room", "--ticks", 3, "--json")
TINY = ("bench", "--size", 32, "--workload", "empty", "--runs", 1, "--ticks", 1)


def test_digest_of_a_run_is_equal_in_every_variant_and_awake(call) -> None:
    ways = [(), ("--awake",), *(("--variant", name) for name in names_of("atoms")), ("--variant", "atoms.strips")]
    ran = [json.loads(call(*RUN, *words).out) for words in ways]
    assert len({answer["digest"] for answer in ran}) == 1
    usual = default("atoms", shared_device())
    taken = [usual, usual, *names_of("atoms"), "strips"]
    assert [answer["variants"] for answer in ran] == [{"atoms": name} for name in taken]


@pytest.mark.parametrize("words", [RUN, ("check", "gas_room", "--ticks", 1)], ids=lambda words: words[0])
def test_stored_variants_are_read_once_per_command(
    call, monkeypatch: pytest.MonkeyPatch, words: tuple[object, ...]
) -> None:
    """The command looks up the stored variant; each simulation of the world uses that answer."""
    right, read = choices.kept, []

    def kept(renderer: str, opengl: str) -> dict[str, Choice]:
        read.append(renderer)
        return right(renderer, opengl)

    monkeypatch.setattr(choices, "kept", kept)
    assert call(*words).code == 0
    assert len(read) == 1


@pytest.mark.parametrize("name", names_of("atoms"))
def test_check_compares_each_variant_with_the_oracle(call, name: str) -> None:
    answer = call("check", "gas_room", "--ticks", 2, "--variant", name, "--awake", "--json")
    assert (answer.code, answer.err) == (0, "")
    assert json.loads(answer.out)["variants"] == {"atoms": name}


def test_bench_reports_its_variants_and_skips_those_of_other_rules(call, tmp_path: Path) -> None:
    words = ("--rule", "flow", "--rule", "atoms", "--rule", "flow+atoms", "--variant", "lines", "--variant", "auto")
    answer = call(*TINY, *words, "--json", "x.json")
    assert (answer.code, answer.err) == (
        0,
        "gpufluid: not measured: flow with lines, which is not a variant of these rules\n",
    )
    rows = json.loads((tmp_path / "x.json").read_text())["rows"]
    usual = {rule: default(rule, shared_device()) for rule in ("flow", "atoms")}
    assert [(row["rules"], row["variant"], row["variants"]) for row in rows] == [
        (["flow"], "auto", {"flow": usual["flow"]}),
        (["atoms"], "lines", {"atoms": "lines"}),
        (["atoms"], "auto", {"atoms": usual["atoms"]}),
        (["flow", "atoms"], "lines", {"flow": usual["flow"], "atoms": "lines"}),
        (["flow", "atoms"], "auto", usual),
    ]


@pytest.fixture
def nothing_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As at the first start on a machine; the measured worlds are small here."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(tuning, "SOFTWARE_SIDE", 32)
    monkeypatch.setattr(tuning, "_SECONDS", 0.01)


@pytest.mark.parametrize("name", names_of("atoms"))
def test_view_runs_every_world_with_the_requested_variant(call, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for a world opened later or restarted; another rule uses its stored variant."""
    shown: list[list[str]] = []

    def passes(viewer: Viewer) -> None:
        shown.append([call.pass_.name for call in viewer.sim.calls()])

    def show(open_viewer, size: tuple[int, int], chosen: Device | None) -> None:  # noqa: ARG001
        viewer = open_viewer(shared_device())
        passes(viewer)
        viewer.open(World(8, 8, ("atoms",)), "another")
        passes(viewer)
        viewer.show(World(8, 9, ("atoms",)))
        passes(viewer)
        viewer.open(World(8, 8, rules=("flow",)), "water")
        viewer.close()

    monkeypatch.setattr(window, "show", show)
    assert call("view", "gas_room", "--variant", name).code == 0
    with Simulation(World(8, 8, ("atoms",)), variant=name) as sim:
        own = [call.pass_.name for call in sim.calls()]
    assert [[name for name in names if name not in ("emit", "drain")] for names in shown] == [own] * 3


@pytest.mark.usefixtures("nothing_kept")
@pytest.mark.parametrize("software", [True, False])
def test_view_measures_on_a_gpu_only(call, software: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With software OpenGL the window would wait for half a minute of compiling."""
    measured: list[str] = []
    monkeypatch.setattr(Device, "software", property(lambda _: software))
    monkeypatch.setattr(tuning, "measure", lambda rule, _: measured.append(rule) or choice_of(rule, "lines"))
    monkeypatch.setattr(window, "show", lambda open_viewer, *_: open_viewer(shared_device()).close())
    assert call("view", "gas_room").code == 0
    assert measured == ([] if software else ["atoms"])


FIRST = {
    "run": (RUN, "atoms"),
    "check": (("check", "gas_room", "--ticks", 1), "atoms"),
    "bench": ((*TINY, "--rule", "atoms+heat"), "atoms and heat"),
}


@pytest.mark.usefixtures("nothing_kept")
@pytest.mark.parametrize("name", mostly_long(FIRST, "run", why="another command that measures"))
def test_variants_are_measured_at_the_first_start_only(call, name: str) -> None:
    words, rules = FIRST[name]
    first = call(*words)
    said = f"measuring the variants of {rules} on {shared_device().renderer}, this once; the fastest is kept in"
    assert (first.code, first.err) == (0, f"gpufluid: {said} {choices.choices_file()}\n")
    assert call(*words).err == ""


@pytest.mark.usefixtures("nothing_kept")
def test_a_requested_variant_is_not_measured(call) -> None:
    assert call(*RUN, "--variant", "lines").err == ""
    assert call(*TINY, "--rule", "flow", "--variant", "strips").err == ""
    assert not choices.choices_file().exists()


@pytest.mark.usefixtures("nothing_kept")
def test_an_unwritable_cache_folder_gives_a_remark(call, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    answer = call(*RUN)
    assert answer.code == 0
    assert json.loads(answer.out)["ticks"] == 3
    assert "gpufluid: what was measured could not be kept and will be measured again: " in answer.err


def lines_of(text: str, rule: str) -> list[str]:
    """The lines of a rule's variants in the answer of ``info``."""
    after = text.partition(f"\nrule       {rule}: ")[2].partition("\nrule ")[0]
    return [line for line in after.splitlines() if line.startswith("  by ")]


@pytest.mark.usefixtures("nothing_kept")
def test_info_says_which_variant_is_taken_and_why(call) -> None:
    device = shared_device()
    usual = default("atoms", device)
    other = next(name for name in names_of("atoms") if name != usual)

    def said() -> tuple[list[str], dict]:
        return lines_of(call("info", "--all").out, "atoms"), json.loads(call("info", "--json").out)["rules"]["atoms"]

    def keep(choice: Choice) -> None:
        choices.keep(device.renderer, device.version, {"atoms": choice})

    lines, found = said()
    assert [line.split()[1].rstrip(":") for line in lines] == names_of("atoms") == list(found["variants"])
    assert (found["variant"], found["measured"], found["measured_ms_a_tick"]) == (usual, False, {})
    assert [line.endswith("; taken as the default of this renderer, until it is measured") for line in lines] == [
        name == usual for name in names_of("atoms")
    ]
    keep(choice_of("atoms", other))
    lines, found = said()
    assert (found["variant"], found["measured"]) == (other, True)
    assert found["measured_ms_a_tick"] == {other: 1000, usual: 2000}
    assert [line.partition("; ")[2].endswith("taken as the fastest") for line in lines] == [
        name == other for name in names_of("atoms")
    ]
    keep(Choice(usual, {usual: 1.0}, {other: "it does not compile"}))
    assert any(line.endswith("; does not run here") for line in said()[0])
    keep(Choice("strips", {"strips": 2.0, "lines": 1.0}, {}, alike=False))
    lines, found = said()
    assert (found["variant"], found["digests_alike"]) == ("strips", False)
    assert lines[0].endswith("taken, because the digests of the variants differ here")
    assert not call("info").err
