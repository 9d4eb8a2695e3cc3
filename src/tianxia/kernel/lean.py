"""How Numba compiles rules: no more of it than they need, and nothing twice.

Numba optimises every function with all that it calls in it, and makes machine code of it.

- A *part*, a helper that only compiled code calls, is neither optimised nor made runnable
  alone: its callers take its code in and optimise it. Games have hundreds of helpers,
  many layers deep.
- A *kept* function has machine code of its own on disk. Only a short one is taken in;
  a longer one is called where it is, for which code from the disk has to find it again.

Code from the disk was made in many processes. Numba numbers functions and records as they
come, in each process anew: here the names of both are the same in none, or in all.

Numba's passes for what plain rules do not have, such as closures, are left out.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from itertools import count, islice
from types import CodeType, FunctionType
from typing import Any

from llvmlite import binding
from numba import _dynfunc
from numba.core import typed_passes, untyped_passes
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering
from numba.types import Record

SHORT = 100
"""Instructions of a kept function that its callers take in; LLVM inlines no longer ones."""
CLOSURES = {
    untyped_passes.InlineClosureLikes,
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.WithLifting,
}
LITERALS = {
    untyped_passes.FindLiterallyCalls,
    untyped_passes.LiteralPropagationSubPipelinePass,
    untyped_passes.LiteralUnroll,
}
NEEDLESS = {
    untyped_passes.InlineInlinables,
    untyped_passes.RewriteDynamicRaises,
    typed_passes.AnnotateTypes,
    typed_passes.DumpParforDiagnostics,
    typed_passes.InlineOverloads,
}


def _name_of_record(kind: Record) -> tuple[str, tuple[str]]:
    """Return what stands for a record in names of code: a digest of all its fields."""
    return "Record", (blake2b(kind.name.encode(), digest_size=12).hexdigest(),)


# Else code of one process would run a function of another's that happens to have its name, or
# look for one under a name that it never had, and call what lies at address 0.
Record.mangling_args = property(_name_of_record)
FunctionIdentity._unique_ids = count(int.from_bytes(os.urandom(5)))


def _needless(function: FunctionType, flags: Any) -> set[Any]:
    """Return the passes that do nothing for a function."""
    code = function.__code__
    needless = {*NEEDLESS}
    if not any(isinstance(constant, CodeType) for constant in code.co_consts):
        needless |= CLOSURES
    if not {"literally", "literal_unroll"} & {*code.co_names}:
        needless |= LITERALS
    if not flags.nrt:  # expressions of whole arrays make arrays
        needless.add(typed_passes.NopythonRewrites)
    return needless


class LeanFlags(Flags):
    """Numba's options of a function, compared by those that are set.

    Numba looks them up tens of thousands of times, and compares what all could be set to.
    """

    __slots__ = ()

    def __hash__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LeanFlags) and self._values == other._values


class PartLibrary(JITCodeLibrary):
    """Code that other code is made of: it is linked into that, and never run by itself."""

    def _optimize_final_module(self) -> None:
        """Leave that to the callers."""

    def _finalize_final_module(self) -> None:
        self._finalized = True


class KeptLibrary(JITCodeLibrary):
    """Code that is run where it is."""

    _shared_module: Any
    counts = True
    """Whether the code counts references to arrays, which Numba prepares by passes of their own."""

    def _optimize_final_module(self) -> None:
        """Optimise once, where no references are counted; Numba does so twice."""
        if self.counts:
            super()._optimize_final_module()
            return
        # What plain rules do with bits and tables gains nothing from vectors.
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False
        )
        passes.run(self._final_module, builder)

    def _get_module_for_linking(self) -> Any:
        """Return the code where it is short, else nothing: calls of it are resolved later."""
        self._ensure_finalized()
        if self._shared_module is None and _is_long(self._final_module):
            nothing = str(self._codegen._create_empty_module(self.name))
            self._shared_module = binding.parse_assembly(nothing)
        return super()._get_module_for_linking()


def _is_long(module: Any) -> bool:
    found = (
        one
        for function in module.functions
        if not function.is_declaration
        for block in function.blocks
        for one in block.instructions
    )
    return next(islice(found, SHORT, None), None) is not None


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):
    """Make code for callers to take in, and no machine code."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        """Do what Numba does, but for asking where the function lies in memory."""
        context, name = state.targetctx, state.func_id.func_qualname
        state.library = PartLibrary(context.codegen(), name)
        state.flags.no_compile = True
        super().run_pass(state)
        made, library = state["cr"], state.library
        # Numba knows a function by such an object; this one points nowhere.
        key = _dynfunc.make_function(made.fndesc.lookup_module(), name, "", 0, made.env, (library,))
        context.insert_user_function(key, made.fndesc, [library])
        state.reload_init.extend(library._reload_init)
        state["cr"] = made._replace(cfunc=key)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class KeptLowering(NativeLowering):
    """Make machine code under a name that every process gives it."""

    _name = "kept_lowering"

    def run_pass(self, state: Any) -> bool:
        """Do what Numba does, which numbers functions as they come."""
        from tianxia.kernel.compiling import digest_of_sources

        function = state.func_id.func
        digest = digest_of_sources(function.__module__, state.args)
        state.func_id.unique_id = f"{function.__code__.co_firstlineno}_{digest}"
        state.library = KeptLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.counts = state.flags.nrt
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


class LeanCompiler(CompilerBase):
    """Numba's usual pipeline with fewer passes."""

    lowering: type[NativeLowering] = NativeLowering

    def define_pipelines(self) -> list[Any]:
        """Return the only pipeline."""
        needless = _needless(self.state.func_id.func, self.state.flags)
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (self.lowering, text) if made is NativeLowering else (made, text)
            for made, text in pipeline.passes
            if made not in needless
        ]
        pipeline.finalize()
        return [pipeline]


class PartCompiler(LeanCompiler):
    """Compiles parts."""

    lowering = PartLowering


class KeptCompiler(LeanCompiler):
    """Compiles kept functions."""

    lowering = KeptLowering


@dataclass(frozen=True)
class Again:
    """Gets a kept function ready, before code from the disk that calls it.

    Attributes
    ----------
    find
        Returns what was compiled, for the types.
    symbol
        What the code calls it.
    """

    find: Callable[[str, str, tuple[Any, ...]], Any]
    module: str
    name: str
    types: tuple[Any, ...]
    symbol: str

    def __call__(self) -> None:
        """Load it, or compile it.

        Raises
        ------
        ValueError
            Where it is another by now: nobody would find what the code calls.
        """
        found = self.find(self.module, self.name, self.types)
        found.compile(self.types)
        if found.overloads[self.types].fndesc.llvm_func_name != self.symbol:
            raise ValueError(f"{self.name} was compiled anew")
