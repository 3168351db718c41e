"""The optional parts of gpufluid: the extras of ``pip install``, and the libraries that each of them brings."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from gpufluid.core.errors import MissingExtraError

LIBRARIES = {
    "cuda": {"cuda-bindings": "cuda"},
    "film": {"imageio-ffmpeg": "imageio_ffmpeg"},
    "mpi": {"mpi4py": "mpi4py"},
    "notebook": {"ipywidgets": "ipywidgets", "jupyter-rfb": "jupyter_rfb"},
    "plot": {"matplotlib": "matplotlib"},
    "rl": {"gymnasium": "gymnasium"},
    "serve": {"starlette": "starlette", "uvicorn": "uvicorn", "websockets": "websockets"},
    "view": {"glfw": "glfw", "imgui-bundle": "imgui_bundle", "moderngl-window": "moderngl_window"},
    "zarr": {"zarr": "zarr"},
}
"""By extra: the module of each library that the extra adds, by the name under which pip knows the library."""


def without_libraries(error: ModuleNotFoundError) -> str:
    """The message for a missing library that gpufluid always needs, as in a clone without its environment."""
    return (
        f"{error.name} is not installed for {sys.executable}; activate the environment that has gpufluid, or install"
        " it: pip install . in its clone"
    )


def import_whole(module: str) -> ModuleType:
    """Import a module of gpufluid with the libraries that it always needs.

    Raises: MissingExtraError: one of these libraries is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("gpufluid"):
            raise
        raise MissingExtraError(without_libraries(error)) from None


def missing(extra: str) -> list[str]:
    """The libraries of an extra that are not installed, by the names under which pip knows them. Imports nothing."""
    return [library for library, module in LIBRARIES[extra].items() if not _is_there(module)]


def require(extra: str, purpose: str) -> None:
    """Check that the libraries of an extra are installed. Imports nothing.

    Args:
        extra: its name, one of `LIBRARIES`.
        purpose: what needs the extra, as the subject of a sentence that goes on with "needs": ``gpufluid view``.
    Raises: MissingExtraError: a library is missing; the message says how to install the extra.
    """
    absent = missing(extra)
    if absent:
        raise MissingExtraError(f"{purpose} needs {_listed(absent)}: pip install 'gpufluid[{extra}]'")


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # a finder of modules may refuse one in this way, too
        return False
