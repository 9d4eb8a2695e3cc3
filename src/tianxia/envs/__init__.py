"""Environments of the field: batches for learners, and the games as other frameworks know them.

- `tianxia.envs.vector`: many games at once in NumPy arrays;
- `tianxia.envs.pettingzoo`, `tianxia.envs.gymnasium`, `tianxia.envs.openspiel`: the interfaces
  of these libraries, which the extra ``lab`` installs (OpenSpiel: ``pip install open-spiel``).
"""
