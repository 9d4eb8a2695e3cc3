"""How strong accounts and bots are: ratings for each game and pace, with how sure they are."""

from tianxia.ratings.bots import BotRatings
from tianxia.ratings.played import Game, Played, Record, Tally
from tianxia.ratings.service import NEW, PACES, Rating, Ratings, Standing
from tianxia.ratings.settler import Settler

__all__ = [
    "NEW",
    "PACES",
    "BotRatings",
    "Game",
    "Played",
    "Rating",
    "Ratings",
    "Record",
    "Settler",
    "Standing",
    "Tally",
]
