"""Scripts of `bench/` as modules."""

from __future__ import annotations

import sys
from importlib import util
from types import ModuleType

import pytest

from tests.arena.helpers import ROOT


def loaded(name: str) -> ModuleType:
    """Return a script of `bench/` as a module."""
    spec = util.spec_from_file_location(name, ROOT / "bench" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "bench")  # scripts use one another
        patch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
    return module
