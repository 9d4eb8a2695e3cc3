"""How strong accounts are: ratings for each game and pace, with how sure they are."""

from tianxia.ratings.service import PACES, Rating, Ratings, Standing
from tianxia.ratings.settler import Settler

__all__ = ["PACES", "Rating", "Ratings", "Settler", "Standing"]
