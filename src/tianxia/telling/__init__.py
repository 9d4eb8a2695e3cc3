"""Being told that it is one's turn: by push messages and letters, where somebody wants that."""

from tianxia.telling.service import PACES, WAYS, Subscription, Telling
from tianxia.telling.teller import Keys, Teller, Undeliverable

__all__ = ["PACES", "WAYS", "Keys", "Subscription", "Teller", "Telling", "Undeliverable"]
