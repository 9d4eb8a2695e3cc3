"""How rules are compiled, and where Numba keeps what it has made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Any

import numpy as np
from numba import config, njit
from numba.core.caching import FunctionCache
from numba.core.compiler import Compiler, CompilerBase
from numba.core.registry import CPUDispatcher
from numba.core.types.misc import unliteral
from numba.types import Array

from tianxia.kernel.lean import PartCompiler
from tianxia.kernel.sources import digest_of_module

Function = Callable[..., Any]
OPTIONS = {"error_model": "numpy", "nogil": True}
INNER = {**OPTIONS, "nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

_modules: dict[Any, set[str]] = {}


def belongs(kind: Any, module: str) -> None:
    """Note that a module answers for a record type: code made for it depends on that module."""
    _modules.setdefault(kind, set()).add(module)


def digest_of_sources(module: str, types: Iterable[Any] = ()) -> str:
    """Return a digest of a module's sources, and of the games whose records are among the types."""
    kinds = {kind.dtype if isinstance(kind, Array) else kind for kind in types}
    modules = {module, *(name for kind in kinds for name in _modules.get(kind, ()))}
    digests = " ".join(sorted({digest_of_module(name) for name in modules}))
    return blake2b(digests.encode(), digest_size=12).hexdigest()


class SourceCache(FunctionCache):
    """Numba's cache on disk, which also looks at all the sources that code is made of."""

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        sources = digest_of_sources(self._py_func.__module__, sig)
        return (*super()._index_key(sig, codegen), sources)

    def _save_overload(self, sig: Any, data: Any) -> None:
        """Put new code in the place of what other sources had made."""
        key = self._index_key(sig, data.codegen)
        index = self._cache_file._load_index()
        kept = {other: name for other, name in index.items() if other[:-1] != key[:-1]}
        if len(kept) < len(index):
            self._cache_file._save_index(kept)
        super()._save_overload(sig, data)


def _with_attributes(argument: Any) -> Any:
    """Return a record whose fields can be read as attributes, and all else as it is."""
    if type(argument) is np.void:
        return argument.view(np.dtype((np.record, argument.dtype)))
    return argument


class Rule(CPUDispatcher):
    """A function that only compiled code calls; Python, calling it, runs its source.

    It has no wrapper for Python, which saves a fifth of all compiling. What `lean` leaves out
    for helpers saves another third.
    """

    def __init__(self, function: Function, compiler: type[CompilerBase] = Compiler) -> None:
        super().__init__(function, targetoptions=dict(INNER), pipeline_class=compiler)

    def __call__(self, *arguments: Any) -> Any:
        """Run the source, as notation does to ask a rule; records are only to be read."""
        return self.py_func(*map(_with_attributes, arguments))

    def get_call_template(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        """Compile for types alone.

        Numba would compile a helper anew for every constant that it is called with, four
        directions four times; that half of all compiling made nothing faster.
        """
        plain = {name: unliteral(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(map(unliteral, args)), plain)


def rule(function: Function) -> Any:
    """Compile a helper of the rules (into its callers: it has no cache of its own)."""
    # Checks of bounds raise errors, for which a function has to be one by itself.
    compiler = Compiler if config.BOUNDSCHECK else PartCompiler
    return function if config.DISABLE_JIT else Rule(function, compiler)


def inner_entry(function: Function) -> Any:
    """Compile a function that other compiled ones call, and keep its machine code on disk."""
    return function if config.DISABLE_JIT else _kept(Rule(function))


def entry(function: Function) -> Any:
    """Compile a way in from Python and keep its machine code on disk."""
    return function if config.DISABLE_JIT else _kept(njit(**OPTIONS)(function))


def _kept(compiled: Any) -> Any:
    compiled.enable_caching()
    compiled._cache = SourceCache(compiled.py_func)
    return compiled
