"""Who has won, as utilities."""

from __future__ import annotations

from tianxia.kernel.jit import rule


@rule
def share_win(seats, out):
    """Turn standings into utilities, in place: the best seats share the win, others lose.

    With k winners among n seats each has (n/k − 1)/(n − 1), the others −1/(n − 1).
    """
    best, winners = out[0], 0
    for seat in range(seats):
        best = max(best, out[seat])
    for seat in range(seats):
        winners += out[seat] == best
    for seat in range(seats):
        share = 1.0 / winners if out[seat] == best else 0.0
        out[seat] = (seats * share - 1.0) / (seats - 1.0)
