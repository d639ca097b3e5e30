"""MuJoCo on the four problems: python3 bench_mujoco.py. Needs: pip install mujoco"""

import math
import time

import mujoco as mj
import numpy as np
from problems import *


def quat_z(a):
    return [math.cos(a / 2), 0, 0, math.sin(a / 2)]


def new(dt, stiff, gravity=(0, -G, 0)):
    spec = mj.MjSpec()
    spec.memory = 1 << 29
    spec.option.timestep = dt
    spec.option.gravity = gravity
    if stiff:
        spec.option.cone = mj.mjtCone.mjCONE_ELLIPTIC
        spec.option.impratio = 100
    return spec


def geom(body, stiff, dt, **fields):
    own = body.add_geom(friction=[FRICTION, 0, 0], condim=3, **fields)
    if stiff:
        own.solref = [2 * dt, 1]
        own.solimp = [0.99, 0.999, 1e-4, 0.5, 2]
    return own


def floor(spec, stiff, dt):
    turned = [math.cos(-math.pi / 4), math.sin(-math.pi / 4), 0, 0]
    geom(spec.worldbody, stiff, dt, type=mj.mjtGeom.mjGEOM_PLANE, size=[50, 50, 1], quat=turned)


def make_stack(dt, stiff):
    spec = new(dt, stiff)
    floor(spec, stiff, dt)
    for half, mass, height in stack():
        body = spec.worldbody.add_body(pos=[0, height, 0])
        body.add_freejoint()
        geom(body, stiff, dt, type=mj.mjtGeom.mjGEOM_BOX, size=[half] * 3, mass=mass)
    return spec


def make_incline(dt, stiff):
    a = INCLINE_ANGLE
    spec = new(dt, stiff, (G * math.sin(a), -G * math.cos(a), 0))
    floor(spec, stiff, dt)
    body = spec.worldbody.add_body(pos=[0, INCLINE_HALF[1], 0])
    body.add_freejoint()
    geom(body, stiff, dt, type=mj.mjtGeom.mjGEOM_BOX, size=INCLINE_HALF, mass=INCLINE_MASS)
    return spec


def make_chain(dt, stiff):
    spec = new(dt, stiff)
    geom(spec.worldbody, stiff, dt, type=mj.mjtGeom.mjGEOM_CYLINDER, size=[BEAM_RADIUS, 1, 0])
    parent, before = spec.worldbody, (0.0, 0.0, 0.0)
    half = 0.5 * LINK_LENGTH
    for k, (x, y, a) in enumerate(chain()):
        dx, dy, c, s = x - before[0], y - before[1], math.cos(-before[2]), math.sin(-before[2])
        body = parent.add_body(pos=[c * dx - s * dy, s * dx + c * dy, 0], quat=quat_z(a - before[2]))
        if k == 0:
            body.add_freejoint()
        else:
            body.add_joint(type=mj.mjtJoint.mjJNT_BALL, pos=[-half, 0, 0])
        # Moments of a solid rod, as ours.
        along = 0.5 * LINK_MASS * LINK_RADIUS**2
        across = LINK_MASS * (3 * LINK_RADIUS**2 + LINK_LENGTH**2) / 12
        body.mass, body.inertia, body.explicitinertial = LINK_MASS, [along, across, across], True
        body.ipos, body.iquat = [0, 0, 0], [1, 0, 0, 0]  # Else they are those of the body.
        turned = [math.cos(math.pi / 4), 0, math.sin(math.pi / 4), 0]
        size = [LINK_RADIUS, half - LINK_RADIUS, 0]
        geom(body, stiff, dt, type=mj.mjtGeom.mjGEOM_CAPSULE, size=size, quat=turned)
        parent, before = body, (x, y, a)
    return spec


def make_cradle(dt, stiff):
    spec = new(dt, stiff)
    for k in range(5):
        x = 2 * CRADLE_RADIUS * k
        a = CRADLE_ANGLE if k == 0 else 0.0
        body = spec.worldbody.add_body(pos=[x, 0, 0], quat=quat_z(a))
        body.add_joint(type=mj.mjtJoint.mjJNT_HINGE, axis=[0, 0, 1])
        pos = [0, -CRADLE_LENGTH, 0]
        own = body.add_geom(
            type=mj.mjtGeom.mjGEOM_SPHERE, size=[CRADLE_RADIUS, 0, 0], pos=pos, mass=1, condim=1
        )
        # Springs without damping, as stiff as the step allows, are its way to rebound.
        own.solref = [-((0.3 / dt) ** 2), 0]
        own.solimp = [0.99, 0.999, 1e-4, 0.5, 2]
    return spec


def energy(model, data):
    mj.mj_energyPos(model, data)
    mj.mj_energyVel(model, data)
    return data.energy[0] + data.energy[1]


def run(name, make, seconds, dt, stiff):
    model = make(dt, stiff).compile()
    data, probe = mj.MjData(model), mj.MjData(model)
    mj.mj_forward(model, data)
    start_x, start_e = data.xipos.copy(), energy(model, data)
    lowest, rise, pen, spent = start_e, 0.0, 0.0, 0.0
    n = round(seconds / dt)
    for _ in range(n):
        t0 = time.process_time()
        mj.mj_step(model, data)
        spent += time.process_time() - t0
        probe.qpos[:], probe.qvel[:] = data.qpos, data.qvel
        mj.mj_forward(model, probe)
        if probe.ncon:
            pen = max(pen, -float(probe.contact.dist.min()))
        now = energy(model, probe)
        lowest = min(lowest, now)
        rise = max(rise, now - lowest)
    moved = float(np.linalg.norm(probe.xipos - start_x, axis=1).max())
    label = "MuJoCo stiff" if stiff else "MuJoCo"
    # It begins again from the start where numbers are no longer finite.
    resets = sum(warning.number for warning in data.warning)
    print(
        f"{name:8} {label:13} {dt:7.4f} pen {pen:.1e} moved {moved:.1e} rise {rise:.1e} "
        f"change {now - start_e:+.1e} us {1e6 * spent / n:.1f}"
        + (f" UNSTABLE, {resets} resets" if resets else ""),
        flush=True,
    )


if __name__ == "__main__":
    print("MuJoCo", mj.__version__)
    for name, make, seconds in [
        ("stack", make_stack, 5),
        ("incline", make_incline, 5),
        ("chain", make_chain, 3),
        ("cradle", make_cradle, 5),
    ]:
        for dt in (1 / 60, 0.002):
            for stiff in (False, True) if name != "cradle" else (False,):
                run(name, make, seconds, dt, stiff)
