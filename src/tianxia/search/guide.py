"""A trained net in compiled code, for a search that goes by it.

`tianxia.bots.nets` says what a net is and computes the same with NumPy. Here it looks at one
position at a time, in the middle of a search; what is zero, as most features are, costs nothing.
Every matrix has its bias as a further row at its end.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.kernel import functions as f
from tianxia.kernel.compiled import view_of
from tianxia.kernel.jit import rule
from tianxia.kernel.record import Pool

Floats = NDArray[np.float32]
WINDOW = 9
"""Squares that a convolution looks at."""
SCALE = 1 << 20
"""What the weights of all legal actions add up to, and one more for each."""
ROOM = ("views", "features", "board", "squares", "inputs", "hidden", "logits")


class Guide(NamedTuple):
    """A net for one game, and room to compute in. Without a board there are no squares.

    Attributes
    ----------
    output_of
        Which output is of each action of each seat, shape (seats, actions).
    inside, outside
        Which features are of squares, plane by plane, and which are of none.
    rows, columns
        Of the board.
    conv0, convs
        Convolutions, shapes (9 · seen + 1, channels) and (number, 9 · channels + 1, channels).
    squeeze, planes
        What the perceptron sees of a square, (channels + 1, squeezed), and the outputs that
        belong to squares, (planes, channels + 1).
    first, layers
        Of the perceptron, shapes (inputs + 1, width) and (number, width + 1, width).
    policy, value
        The heads, shapes (outputs, width + 1) and (width + 1,).
    views
        Room for a view, and a blank one.
    features, board, squares, inputs, hidden, logits
        Room for what is computed.
    """

    output_of: NDArray[np.int64]
    inside: NDArray[np.int64]
    outside: NDArray[np.int64]
    rows: int
    columns: int
    conv0: Floats
    convs: Floats
    squeeze: Floats
    planes: Floats
    first: Floats
    layers: Floats
    policy: Floats
    value: Floats
    views: Pool
    features: Floats
    board: Floats
    squares: Floats
    inputs: Floats
    hidden: Floats
    logits: NDArray[np.float64]


def with_own_room(guide: Guide) -> Guide:
    """Return the same net with room of its own, for another thread."""
    return guide._replace(**{name: getattr(guide, name).copy() for name in ROOM})


@rule
def look(guide, state, seat):
    """Look at a position from a seat; return the utility that it expects, from −1 to 1."""
    guide.views[0] = guide.views[1]
    view_of(state, seat, guide.views[0])
    f.encode(guide.views[0], guide.features)
    look_at_board(guide)
    squares = guide.rows * guide.columns * guide.squeeze.shape[1]
    for i in range(len(guide.outside)):
        guide.inputs[squares + i] = guide.features[guide.outside[i]]
    hidden, more = guide.hidden[0], guide.hidden[1]
    rectified(guide.inputs, guide.first, hidden)
    for number in range(len(guide.layers)):
        rectified(hidden, guide.layers[number], more)
        for i in range(len(hidden)):
            hidden[i] += more[i]
    return math.tanh(product(hidden, guide.value))


@rule
def look_at_board(guide):
    """Let the convolutions look at the squares, and write what the perceptron sees of them."""
    count = guide.rows * guide.columns
    if count == 0:
        return
    for i in range(len(guide.inside)):
        guide.board[i % count, i // count] = guide.features[guide.inside[i]]
    planes = len(guide.inside) // count
    for i in range(len(guide.outside)):
        for square in range(count):
            guide.board[square, planes + i] = guide.features[guide.outside[i]]
    squares, more = guide.squares[0], guide.squares[1]
    convolve(guide.board, guide.conv0, guide.rows, guide.columns, squares)
    for number in range(len(guide.convs)):
        convolve(squares, guide.convs[number], guide.rows, guide.columns, more)
        for square in range(count):
            for channel in range(squares.shape[1]):
                squares[square, channel] += more[square, channel]
    seen = guide.squeeze.shape[1]
    for square in range(count):
        first = square * seen
        rectified(squares[square], guide.squeeze, guide.inputs[first : first + seen])


@rule
def convolve(squares, kernel, rows, columns, out):
    """Write what a convolution of 3 × 3 makes of a board, without what is below 0."""
    for square in range(rows * columns):
        begin(kernel, out[square])
    for row in range(rows):
        for column in range(columns):
            for channel in range(squares.shape[1]):
                number = squares[row * columns + column, channel]
                if number != 0:
                    for place in range(WINDOW):
                        # Which square has this one at that place of its window.
                        to_row, to_column = row + 1 - place // 3, column + 1 - place % 3
                        if 0 <= to_row < rows and 0 <= to_column < columns:
                            weights = kernel[channel * WINDOW + place]
                            add(number, weights, out[to_row * columns + to_column])
    for square in range(rows * columns):
        rectify(out[square])


@rule
def rectified(numbers, matrix, out):
    """Write the product of a row and a matrix, without what is below 0."""
    begin(matrix, out)
    for i in range(len(numbers)):
        if numbers[i] != 0:
            add(numbers[i], matrix[i], out)
    rectify(out)


@rule
def begin(matrix, out):
    """Write the bias."""
    bias = matrix[len(matrix) - 1]
    for i in range(len(out)):
        out[i] = bias[i]


@rule
def add(number, weights, out):
    """Add some weights so many times."""
    for i in range(len(out)):
        out[i] += number * weights[i]


@rule
def rectify(out):
    """Put 0 in the place of what is below."""
    for i in range(len(out)):
        out[i] = max(out[i], np.float32(0))


@rule
def product(numbers, weights):
    """Return the product of a row and the weights of one output, with its bias."""
    total = weights[len(numbers)]
    for i in range(len(numbers)):
        total += numbers[i] * weights[i]
    return total


@rule
def logit(guide, output):
    """Return what the net says of an output for the position that it has looked at."""
    flat = len(guide.policy)
    if output < flat:
        return product(guide.hidden[0], guide.policy[output])
    count = guide.rows * guide.columns
    plane, square = (output - flat) // count, (output - flat) % count
    return product(guide.squares[0, square], guide.planes[plane])


@rule
def weigh(guide, seat, actions, count, weights):
    """Write the weights of a seat's legal actions in the position that it has looked at."""
    highest = -math.inf
    for i in range(count):
        guide.logits[i] = logit(guide, guide.output_of[seat, actions[i]])
        highest = max(highest, guide.logits[i])
    total = 0.0
    for i in range(count):
        guide.logits[i] = math.exp(guide.logits[i] - highest)
        total += guide.logits[i]
    for i in range(count):
        weights[i] = 1 + int(SCALE * guide.logits[i] / total)
