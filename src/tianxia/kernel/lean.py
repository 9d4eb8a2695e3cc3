"""Compiling helpers of rules as parts of other code: neither optimised nor made runnable alone.

Numba optimises every function with all that it calls in it, and makes machine code of it.
For a helper that only compiled code calls both are thrown away: its callers take its
code in and optimise it again. Games have hundreds of helpers, many layers deep.
"""

from __future__ import annotations

from typing import Any

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


class PartLibrary(JITCodeLibrary):
    """Code that other code is made of: it is linked into that, and never run by itself."""

    def _optimize_final_module(self) -> None:
        """Leave that to the callers."""

    def _finalize_final_module(self) -> None:
        self._finalized = True


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


class PartCompiler(CompilerBase):
    """Numba's usual pipeline with the other last step."""

    def define_pipelines(self) -> list[Any]:
        """Return the only pipeline."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (PartLowering, text) if made is NativeLowering else (made, text)
            for made, text in pipeline.passes
        ]
        pipeline.finalize()
        return [pipeline]
