"""Tables that compiled rules read where Python fills them, such as those of people's own boards.

Numba copies a global array into the code that it makes. A shared one is looked up by its name
when code is loaded, so that code on disk fits all processes, and what is written is read at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import from_dtype, types
from numba.core.datamodel import register_default
from numba.core.datamodel.models import ArrayModel
from numba.core.imputils import lower_constant
from numba.extending import typeof_impl
from numba.np.arrayobj import populate_array
from numpy.typing import NDArray


class Shared(np.ndarray[Any, Any]):
    """An array whose memory compiled code knows by a name."""

    symbol: str


class SharedType(types.Array):
    """What Numba calls such an array."""

    def __init__(self, array: Shared) -> None:
        self._is = (array.symbol, array.shape)
        dtype, name = from_dtype(array.dtype), f"shared({array.symbol}, {array.shape})"
        super().__init__(dtype, array.ndim, "C", readonly=True, name=name)

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from others."""
        return (*super().key, *self._is)

    def copy(self, *changed: Any, readonly: bool | None = None, **more: Any) -> types.Array:
        """Return the type of a part; this one is for reading only as it is, as Numba asks."""
        return super().copy(*changed, readonly=readonly, **more) if changed or more else self


def shared(name: str, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Return a table of zeros that compiled code reads under this name. It is never given back."""
    array = np.zeros(shape, np.int64).view(Shared)
    array.symbol = f"tianxia.{name}"
    binding.add_symbol(array.symbol, array.ctypes.data)
    _alive.append(array)
    return array


_alive: list[Shared] = []

register_default(SharedType)(ArrayModel)


@typeof_impl.register(Shared)
def _type_of(array: Shared, _context: Any) -> SharedType:
    return SharedType(array)


@lower_constant(SharedType)
def _looked_up(context: Any, builder: Any, kind: SharedType, array: Shared) -> Any:
    module = builder.module
    memory = module.globals.get(array.symbol)
    if memory is None:
        memory = ir.GlobalVariable(module, context.get_data_type(kind.dtype), array.symbol)
        memory.global_constant = True  # it does not change while rules that read it run
    made = context.make_array(kind)(context, builder)
    shape, strides = (
        [context.get_constant(types.intp, number) for number in numbers]
        for numbers in (array.shape, array.strides)
    )
    size = context.get_constant(types.intp, array.itemsize)
    populate_array(made, data=memory, shape=shape, strides=strides, itemsize=size, meminfo=None)
    return made._getvalue()
