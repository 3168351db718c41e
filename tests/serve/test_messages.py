"""Messages from a page: valid ones are read, and everything else is one clear error, whatever it is."""

from __future__ import annotations

import pytest
from support.fuzzed import fuzzed

from gpufluid.core.errors import UsageError
from gpufluid.serve.messages import Act, Press, read_message
from gpufluid.serve.permitted import IN_THE_PAGE, OF_A_VIEW, OF_FILES, OF_THE_WORLD, checked, needs_brush
from gpufluid.serve.worlds import PAGE_ACTIONS
from gpufluid.viewer.actions import ACTIONS


def test_a_message_is_read() -> None:
    assert read_message('{"type": "press", "x": 3, "y": 4.5, "modifiers": ["shift"]}') == Press(
        type="press", x=3, y=4.5, modifiers=("shift",)
    )
    assert read_message('{"type": "act", "name": "rate", "arguments": {"ticks": null}}') == Act(
        type="act", name="rate", arguments={"ticks": None}
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "message: Invalid JSON"),
        ("[]", "message: "),
        ('{"type": "exec"}', "message: expected a type among press, move"),
        ('{"type": "press", "x": "3", "y": 4}', "message: press.x: Input should be a valid number"),
        ('{"type": "press", "x": NaN, "y": 4}', "message: press.x: Input should be"),
        ('{"type": "press", "x": 1e300, "y": 4}', "message: press.x: Input should be less than"),
        ('{"type": "size", "width": 100000, "height": 4}', "message: size.width: Input should be less than"),
        ('{"type": "got", "frame": 1, "file": "x"}', "message: got.file: Extra inputs are not permitted"),
        ('{"type": "act", "name": "' + "a" * 101 + '"}', "message: act.name: String should have at most 100"),
    ],
)
def test_a_wrong_message_is_one_clear_error(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_message(text)
    assert str(caught.value).startswith(said)
    assert len(str(caught.value)) < 400
    assert "\n" not in str(caught.value)


def test_a_thousand_fuzzed_messages_are_read_or_refused() -> None:
    """Nothing else than a `UsageError` comes of them, neither as messages nor as arguments of actions."""
    counts, said = {"read": 0, "refused": 0, "act": 0}, []
    for number in range(1000):
        text = fuzzed(number)
        try:
            message = read_message(text if isinstance(text, str) else text.decode("latin-1"))
            counts["read"] += 1
            if isinstance(message, Act):
                needs_brush(message.name)
                checked(message.name, message.arguments)
                counts["act"] += 1
        except UsageError as error:
            counts["refused"] += 1
            said.append(str(error))
    assert not [each for each in said if "\n" in each or len(each) > 400]
    assert counts["refused"] > 500
    assert counts["read"] > 100
    assert counts["act"] > 0


def test_every_action_is_permitted_or_left_out_on_purpose() -> None:
    """A new action of the viewer is decided on here: whether a page may ask for it, and who."""
    left_out = {
        *("paint", "heat", "line", "rectangle", "fill", "emitter", "drain", "remove", "pick"),  # the pointer does these
        *("open", "new", "request_new", "resize", "stay"),  # the dialogs of a page do these, see `WorldDialogs`
        *("make_folder", "keep_in", "ask_folder", "ask_save", "set_favourite"),  # they write outside of the folder
        "close",  # the window's own
    }
    permitted = {*OF_A_VIEW, *OF_THE_WORLD, *OF_FILES, *IN_THE_PAGE, *PAGE_ACTIONS}
    assert permitted | left_out == {*ACTIONS, *PAGE_ACTIONS}
    assert not permitted & left_out
    for name in left_out | IN_THE_PAGE:
        with pytest.raises(UsageError, match="no action of this page"):
            needs_brush(name)
    for name in permitted - IN_THE_PAGE:
        with pytest.raises(UsageError):
            checked(name, {"path": "/etc/passwd"})


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("step", {"ticks": 10_001}, "step: 10,001 ticks; expected 10,000 at most"),
        ("step", {"ticks": "1"}, "step: ticks: Input should be a valid integer"),
        ("brush_size", {}, "brush_size: cells: Field required"),
        ("zoom", {"steps": 1, "at": [1, 2, 3]}, "zoom: at: Input should be"),
        ("add_rules", {"rules": "heat"}, "add_rules: rules: "),
    ],
)
def test_arguments_have_the_types_that_the_action_declares(name: str, arguments: dict, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        checked(name, arguments)
    assert str(caught.value).startswith(said) or said.split(": Input")[0] in str(caught.value)


def test_checked_arguments_are_those_of_the_action() -> None:
    assert checked("zoom", {"steps": 2, "at": [1, 2.5]}) == {"steps": 2, "at": (1, 2.5)}
    assert checked("rate", {"ticks": None}) == {"ticks": None}
    assert checked("pause", {}) == {}
