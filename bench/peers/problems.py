"""The four problems, the same for every engine. SI units; y is up."""

import math

G = 9.81


def stack():
    """Ten cubes of 0.2 m; masses grow a hundredfold upward. Returns (half, mass, height) of each."""
    return [(0.1, 10 ** (2 * k / 9), 0.1 + 0.2 * k) for k in range(10)]


# A block on a floor that leans 1 % less than its angle of friction; gravity leans in place of the floor.
INCLINE_HALF = (0.2, 0.1, 0.3)
INCLINE_MASS = 2.0
INCLINE_ANGLE = 0.99 * math.atan(0.5)
FRICTION = 0.5

# Newton's cradle: balls on rods without mass.
CRADLE_RADIUS, CRADLE_LENGTH, CRADLE_ANGLE = 0.05, 0.5, -0.5

LINKS, LINK_LENGTH, LINK_RADIUS, LINK_MASS, BEAM_RADIUS = 100, 0.2, 0.03, 0.2, 0.3


def chain():
    """Links over a beam along z, as they lie: (x, y, angle) of each, from left to right.

    The five in the middle are tangent to the beam, the others hang: 47 on the left, 48 on the right.
    """
    reach = BEAM_RADIUS + LINK_RADIUS
    turn = 2 * math.atan(0.5 * LINK_LENGTH / reach)
    links = []
    for k in range(-2, 3):
        a = turn * k
        links.append((reach * math.sin(a), reach * math.cos(a), -a))
    for side, n in ((-1, 47), (1, 48)):
        rho, a = math.hypot(reach, 0.5 * LINK_LENGTH), 2.5 * turn
        x, y = side * rho * math.sin(a), rho * math.cos(a)
        hanging = [(x, y - LINK_LENGTH * (k + 0.5), -side * 0.5 * math.pi) for k in range(n)]
        links = hanging[::-1] + links if side < 0 else links + hanging
    return links
