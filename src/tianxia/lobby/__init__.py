"""The lobby: how people who do not know one another meet. Knows no page.

>>> from tianxia.lobby import Lobby
>>> from tianxia.tables import Tables
>>> tables = Tables("sqlite://")
>>> lobby = Lobby(tables)
>>> lobby.seek("ann", "Ann", "stratego(variant=duel)").table_id
''
>>> met = lobby.seek("bob", "Bob", "stratego(variant=duel)").table_id
>>> tables.snapshot(met).status
'playing'
>>> tables.close()
"""

from __future__ import annotations

from tianxia.lobby.service import Here, Lobby, Seek

__all__ = ["Here", "Lobby", "Seek"]
