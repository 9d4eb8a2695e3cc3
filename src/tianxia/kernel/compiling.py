"""How rules are compiled, and where Numba keeps what it has made.

Only compiled rules import this (see `tianxia.kernel.jit`): all that needs Numba is here,
in `tianxia.kernel.lean` and in `tianxia.kernel.shared`.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, partial, wraps
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from pickle import PickleError
from typing import Any

import numpy as np
from numba import config, from_dtype, typeof
from numba.core import cgutils
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.compiler import Compiler, CompilerBase
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import TypingError, UnsupportedError
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.types import Dispatcher
from numba.core.types import Function as FunctionKind
from numba.core.types.misc import unliteral
from numba.core.typing.templates import AbstractTemplate, infer_global, make_intrinsic_template
from numba.extending import intrinsic, overload
from numba.types import Array, BaseTuple, Integer, int64, intp, void

from tianxia.kernel import bits as sets
from tianxia.kernel import mode
from tianxia.kernel.cache import alone
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.lean import Again, KeptCompiler, LeanCompiler, LeanFlags, PartCompiler
from tianxia.kernel.record import with_attributes
from tianxia.kernel.sources import digest_of_module

Function = Callable[..., Any]
Key = tuple[Any, ...]
UNREADABLE = (AttributeError, ImportError, TypeError, ValueError, EOFError, PickleError)
"""What reading raises where other sources have written, such as for a class that is gone."""
OPTIONS = {"error_model": "numpy", "nogil": True, "_nrt": False}
"""How functions are compiled, most of them without Numba's runtime: what allocates does not
compile then, and nobody counts references to arrays. That took more than half of the time of
bots that keep their room in tuples of arrays. The arrays live as long as the call from Python."""
INNER = {**OPTIONS, "nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

PLACE = re.compile(r'File "([^"]*)", line (\d+):\n(?:.*\n)*? *(.*)\n *\^')
SAYS_LITTLE = (
    *("Failed in", "No implementation of function Function(<function", ">>>", "There are "),
    *(
        "- Of which",
        "- Resolution",
        "Overload in",
        "With argument",
        "Rejected as",
        "During: ",
        "raised from",
    ),
    *("TypingError:", "NumbaTypeError:", "UnsupportedError:", "NumbaRuntimeError:", "File "),
)
"""Begins the lines of the compiler's errors that tell what led there."""
MOST_TOLD = 200
ALLOWED = (
    "Rules know numbers, records, arrays that they are given and what is marked @rule; they make "
    "no array, list or text, and raise nothing (docs/kernel.md)."
)

log = logging.getLogger("tianxia")
_modules: dict[Any, set[str]] = {}


def record_types(dtype: np.dtype[np.void], module: str = "") -> tuple[Any, ...]:
    """Return what Numba calls a record; note the module that answers for it, if one is named.

    Code made for such records depends on that module.
    """
    kind = from_dtype(dtype)
    if module:
        _modules.setdefault(kind, set()).add(module)
    return (kind,)


def digest_of_sources(module: str, types: Iterable[Any] = ()) -> str:
    """Return a digest of a module's sources, and of the games whose records are among the types."""
    kinds = {*_kinds_in(types)}
    modules = {module, *(name for kind in kinds for name in _modules.get(kind, ()))}
    digests = " ".join(sorted({digest_of_module(name) for name in modules}))
    return blake2b(digests.encode(), digest_size=12).hexdigest()


def _kinds_in(types: Iterable[Any]) -> Iterator[Any]:
    """Yield types, and those of which arrays and tuples are made."""
    for kind in types:
        if isinstance(kind, BaseTuple):
            yield from _kinds_in(kind.types)
        else:
            yield kind.dtype if isinstance(kind, Array) else kind


class CodeFiles(IndexDataCacheFile):
    """Files of machine code, each named after what it is.

    Numba numbers them: of two processes that save at the same time both may take the same
    number, and one function's code is then found under the other's key.
    """

    def load(self, key: Key) -> Any:
        """Return code, or None where there is none, or none that these sources can read."""
        with suppress(*UNREADABLE):
            return super().load(key)
        return None

    def _load_index(self) -> dict[Key, str]:
        with suppress(*UNREADABLE):
            return dict(super()._load_index())
        return {}

    def save(self, key: Key, data: Any) -> None:
        """Keep code under its key, in the place of what other sources had made."""
        name = self._named(key)
        self._save_data(name, data)
        index = self._load_index()
        old = {other: file for other, file in index.items() if other[:-1] == key[:-1]}
        kept = {other: file for other, file in index.items() if other not in old}
        self._save_index({**kept, key: name})
        for file in set(old.values()) - {name}:
            Path(self._data_path(file)).unlink(missing_ok=True)

    def _named(self, key: Key) -> str:
        digest = blake2b(repr(key).encode(), digest_size=12).hexdigest()
        return f"{self._index_name.removesuffix('.nbi')}.{digest}.nbc"


class SourceCache(FunctionCache):
    """Numba's cache on disk, which also looks at all the sources that code is made of."""

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        self._cache_file = CodeFiles(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=self._impl.locator.get_source_stamp(),
        )

    def _index_key(self, sig: Any, codegen: Any) -> Key:
        sources = digest_of_sources(self._py_func.__module__, sig)
        return (*super()._index_key(sig, codegen), sources)

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load code, unless what it calls is another by now: then it is compiled anew, too."""
        with suppress(*UNREADABLE):
            return super()._load_overload(sig, target_context)
        return None

    def lock_for(self, sig: Any, codegen: Any) -> Path:
        """Return the file that a process locks while it compiles for a signature."""
        name = self._cache_file._named(self._index_key(sig, codegen))
        return Path(self.cache_path) / f"{name}.lock"


RAW = {np.void, np.ndarray}
"""Types of arguments whose fields may not be attributes yet; rules hand on what they are given."""


def _with_attributes(argument: Any) -> Any:
    """Return a record, or records, whose fields are attributes, and all else as it is.

    A record alone is only to be read: it is a copy.
    """
    if type(argument) is np.void or (type(argument) is np.ndarray and argument.dtype.fields):
        return argument.view(with_attributes(argument.dtype))
    return argument


def _options(usual: dict[str, Any], function: Function) -> dict[str, Any]:
    return {**usual, "_nrt": "allocates" in function.__dict__}


def _wide(kind: Any) -> Any:
    """Return the type in which a number is handed over: an answer is compiled for one only."""
    small = isinstance(kind, Integer) and kind.bitwidth < int64.bitwidth
    return int64 if small else kind


def _has_arrays(kind: Any) -> bool:
    if isinstance(kind, BaseTuple):
        return any(map(_has_arrays, kind.types))
    return isinstance(kind, Array)


class Rule(CPUDispatcher):
    """A function that only compiled code calls; Python, calling it, runs its source.

    It has no wrapper for Python, which saves a fifth of all compiling. What `lean` leaves out
    for helpers saves another third.
    """

    def __init__(self, function: Function, compiler: type[CompilerBase] = Compiler) -> None:
        options = _options(INNER, function)
        super().__init__(function, targetoptions=options, pipeline_class=compiler)
        self._compiler._customize_flags = LeanFlags

    def __call__(self, *arguments: Any) -> Any:
        """Run the source, as notation does to ask a rule; records are only to be read."""
        if RAW.isdisjoint(map(type, arguments)):
            return self.py_func(*arguments)
        return self.py_func(*map(_with_attributes, arguments))

    def add_overload(self, cres: Any) -> None:
        """Keep what was compiled; see that nobody returns an array without counting who has it.

        Raises
        ------
        TypeError
            Where one would be returned.
        """
        if not self.targetoptions["_nrt"] and _has_arrays(cres.signature.return_type):
            raise TypeError(f"{self.py_func.__qualname__} returns an array; mark it: allocates")
        super().add_overload(cres)

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
    return Rule(function, Compiler if config.BOUNDSCHECK else PartCompiler)


class OnDisk(CPUDispatcher):
    """A function whose machine code is kept on disk."""

    def __init__(self, function: Function, **options: Any) -> None:
        super().__init__(function, **options)
        self._compiler._customize_flags = LeanFlags
        self.enable_caching()
        self._cache = SourceCache(function)

    def compile(self, sig: Any) -> Any:
        """Compile it or load it; what another process compiles just now is waited for."""
        with global_compiler_lock:
            types, _ = normalize_signature(sig)
            if tuple(types) in self.overloads:
                return super().compile(sig)
            with alone(self._cache.lock_for(sig, self.targetctx.codegen())):
                return super().compile(sig)


class Kept(Rule, OnDisk):
    """A rule with machine code of its own, for all that call it."""

    def __init__(self, function: Function, name: str) -> None:
        super().__init__(function, KeptCompiler)
        self._name = name

    def add_overload(self, cres: Any) -> None:
        """Keep what was compiled; see that who calls it finds it again."""
        super().add_overload(cres)
        module, types = self.py_func.__module__, tuple(cres.signature.args)
        symbol = cres.fndesc.llvm_func_name
        cres.library._reload_init.add(Again(_find, module, self._name, types, symbol))


def kept(function: Function) -> Any:
    """Compile a long helper by itself: once, for all that call it, and keep it on disk."""
    return Kept(function, function.__name__)


class WayIn(OnDisk):
    """A function that Python calls; what is wrong with the rules behind it is told shortly."""

    def compile(self, sig: Any) -> Any:
        """Compile it or load it.

        Raises
        ------
        TianxiaError
            Where rules do not compile: the compiler's own words are pages, and are logged.
        """
        try:
            return super().compile(sig)
        except (TypingError, UnsupportedError, KeyError) as error:
            log.debug("%s", error)
            raise TianxiaError(_in_short(error)) from None


def _in_short(error: Exception) -> str:
    """Return what the compiler finds wrong, and in which line of the rules."""
    if isinstance(error, KeyError):
        return f"the rules do not compile: a record has no field {error}"
    text = str(error)
    lines = (line.strip() for line in text.splitlines())
    reason = next((line for line in lines if line and not line.startswith(SAYS_LITTLE)), "")
    places = (place.groups() for place in PLACE.finditer(text) if "numba" not in place[1])
    file, number, line = next(places, ("", "", ""))
    where = f"\n  {Path(file).name}, line {number}: {line}" if file else ""
    return f"the rules do not compile: {reason[:MOST_TOLD].rstrip(':')}{where}\n  {ALLOWED}"


def entry(function: Function) -> Any:
    """Compile a way in from Python and keep its machine code on disk."""
    options = {**_options(OPTIONS, function), "nopython": True}
    return WayIn(function, targetoptions=options, pipeline_class=LeanCompiler)


def way_in(function: Function) -> Any:
    """Make a way in that positions take: compiled, or Python where only bots are compiled."""
    if not mode.positions_interpreted():
        return entry(function)

    @wraps(function)
    def call(*arguments: Any) -> Any:
        return function(*map(_with_attributes, arguments))

    return call


def answer(call: Function, dtype: np.dtype[np.void]) -> Any:
    """Return a game's compiled answer to a generic function, for `make`."""
    return _resolvers[f"{call.__module__}.{call.__name__}"](from_dtype(dtype))


def _find(module: str, name: str, types: tuple[Any, ...]) -> Any:
    """Return a kept function by its module and name, or an answer by its question's."""
    if name in _resolvers:
        return _resolvers[name](types[0])
    return getattr(import_module(module), name)


def make(function: Function, *arguments: Any) -> None:
    """Compile a way in for such arguments, or load it, without calling it."""
    if isinstance(function, CPUDispatcher):
        function.compile(tuple(map(typeof, arguments)))


def direct(function: Any, *arguments: Any) -> Any:
    """Call a way in, and return its machine code for exactly these types of arguments.

    Numba's own call looks at the types each time, which takes 0.25 µs: as long as a ply.
    """
    function(*arguments)
    return function.overloads[tuple(map(typeof, arguments))].entry_point


# --- Generic functions in compiled code ---

_resolvers: dict[str, Callable[[Any], Any]] = {}
"""What finds the answer to a question, by the question's name, for the type of a record."""


def dispatched(call: Function, known: dict[Any, Function], usual: Function | None) -> None:
    """Let compiled code that calls a generic function find the answer for a record type.

    The rules of a game are compiled once for all the ways in that call them.
    """
    name = f"{call.__module__}.{call.__name__}"
    otherwise = None if usual is None else rule(usual)
    own = cache(partial(Kept, name=name))
    keys: dict[Any, Any] = {}

    def resolve(state: Any) -> Any:
        return own(known[state]) if state in known else otherwise

    class Template(AbstractTemplate):
        key = call

        def generic(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
            answer = resolve(args[0])
            kind = None if answer is None else Dispatcher(answer)
            found = kind and kind.get_call_type(self.context, tuple(map(_wide, args)), kws)
            if kind and found:
                keys[found.args] = kind.get_impl_key(found)
            return found

        def get_impl_key(self, sig: Any) -> Any:
            return keys[sig.args]

    _resolvers[name] = resolve
    infer_global(call, FunctionKind(Template))


# --- Parts of records, copied as they lie in memory ---

BYTES = cgutils.voidptr_t


def copies(function: Function, runs: list[tuple[int, int]]) -> None:
    """Let compiled code that calls ``function(source, part, target)`` copy bytes of records.

    Part 0 of each run begins where it says first, and has as many bytes as it says then; the
    other parts follow. Copying elements in loops would take longer to compile, and to run.
    """

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        here, part, there = values
        part = context.cast(builder, part, signature.args[1], intp)
        for start, size in runs:
            place = builder.add(builder.mul(part, part.type(size)), part.type(start))
            ends = (cgutils.pointer_add(builder, end, place, BYTES) for end in (there, here))
            cgutils.raw_memcpy(builder, *ends, part.type(size), 1)
        return context.get_dummy_value()

    def typed(_context: Any, source: Any, part: Any, target: Any) -> Any:
        return void(source, part, target), generate

    # This is an intrinsic under the name of the function that Python runs.
    template = make_intrinsic_template(function, typed, function.__name__)
    infer_global(function, FunctionKind(template))


# --- Sets of bits, for which processors have instructions ---


@intrinsic
def _cttz(_context, bits):
    def generate(_, builder, __, args):
        return builder.cttz(args[0], cgutils.true_bit)

    return int64(int64), generate


@intrinsic
def _ctpop(_context, bits):
    def generate(_, builder, __, args):
        return builder.ctpop(args[0])

    return int64(int64), generate


@overload(sets.lowest)
def _lowest(bits):
    return lambda bits: _cttz(bits)


@overload(sets.count_bits)
def _count_bits(bits):
    return lambda bits: _ctpop(bits)
