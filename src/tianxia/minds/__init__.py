"""Processes that think for bots and compile what they need: on this machine, for its database.

A server starts them beside itself (`crew`); ``tianxia think`` starts them alone, on another
machine for the same PostgreSQL. `mind` is one that thinks, `preparing` one that compiles.
"""
