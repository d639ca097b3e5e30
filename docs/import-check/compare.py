"""Accelerations of imported robots, against MuJoCo (MJCF) and Pinocchio (URDF).

    python -m venv /tmp/peers && /tmp/peers/bin/pip install mujoco pin pybullet example-robot-data numpy
    cargo build --release -p linkwork-import --example forward_dynamics
    /tmp/peers/bin/python docs/import-check/compare.py target/release/examples/forward_dynamics MODEL...

With `--record FILE` before the models it writes poses and the peers' accelerations there, for
`crates/linkwork-import/tests/import/recorded.rs`.

For each model it draws poses and velocities, asks both programs for the accelerations of all bodies,
and prints the largest difference relative to the largest acceleration (at least 1 m/s² or rad/s²). MJCF models with equalities
are compared once more with their loops closed, at rest, where MuJoCo holds them as hard as it can.
"""

import json
import subprocess
import sys
import tempfile

import numpy as np

N_POSES = 5

# What `--record` writes.
RECORDED = []
# What was found: of what, and the largest differences.
WORST = []
# More options of ours.
FLAGS = []


def record(path, flags, start, theirs):
    RECORDED.append({"model": path.rsplit("/", 1)[-1], "flags": flags, **start, "accelerations": theirs})


def ours(binary, model, flags, start):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(start, file)
        file.flush()
        text = subprocess.run(
            [binary, model, *flags, *FLAGS, "--start", file.name], check=True, capture_output=True, text=True
        ).stdout
    return json.loads(text)["bodies"]


def difference(mine, theirs):
    """Largest difference of accelerations of bodies both know, relative to the largest of theirs,
    or to 1 m/s² and 1 rad/s² where all are smaller."""
    names = sorted(set(mine) & set(theirs))
    a = np.array([mine[n]["acceleration"] + mine[n]["angular_acceleration"] for n in names])
    b = np.array([theirs[n] for n in names])
    linear = np.abs(a[:, :3] - b[:, :3]).max() / max(np.abs(b[:, :3]).max(), 1.0)
    angular = np.abs(a[:, 3:] - b[:, 3:]).max() / max(np.abs(b[:, 3:]).max(), 1.0)
    return len(names), linear, angular


def mujoco_model(path):
    """The model, without its meshes if their files are not there: inertials are given without them."""
    import mujoco

    for left_out in ((), ("pictures",), ("pictures", "meshes")):
        spec = mujoco.MjSpec.from_file(path)
        if "meshes" in left_out:
            for geom in list(spec.geoms):
                if geom.type == mujoco.mjtGeom.mjGEOM_MESH:
                    spec.delete(geom)
            for asset in list(spec.meshes):
                spec.delete(asset)
        if "pictures" in left_out:
            for thing in [*spec.geoms, *spec.sites]:
                thing.material = ""
            for asset in [*spec.materials, *spec.textures]:
                spec.delete(asset)
        try:
            return without_contacts(spec.compile())
        except ValueError as error:
            problem = error
    raise problem


def without_contacts(model):
    import mujoco

    off = mujoco.mjtDisableBit
    model.opt.disableflags |= off.mjDSBL_CONTACT | off.mjDSBL_LIMIT | off.mjDSBL_FRICTIONLOSS
    model.opt.disableflags |= off.mjDSBL_ACTUATION
    # What actuators do against gravity is no part of what is switched off.
    model.jnt_actgravcomp[:] = 0
    return model


def mujoco_start(model, data):
    """Coordinates and rates by joint."""
    import mujoco

    coordinates, rates = {}, {}
    widths = {0: (7, 6), 1: (4, 3), 2: (1, 1), 3: (1, 1)}
    for j in range(model.njnt):
        joint = model.joint(j)
        body = model.body(model.jnt_bodyid[j]).name
        name = joint.name or f"{body} joint"
        n_q, n_v = widths[int(model.jnt_type[j])]
        q, v = model.jnt_qposadr[j], model.jnt_dofadr[j]
        coordinates[name] = data.qpos[q : q + n_q].tolist()
        rates[name] = data.qvel[v : v + n_v].tolist()
    return {"coordinates": coordinates, "rates": rates}


def mujoco_accelerations(model, data):
    """Of every body's origin, world axes; what an accelerometer shows, less gravity."""
    import mujoco

    mujoco.mj_forward(model, data)
    return body_accelerations(model, data)


def body_accelerations(model, data):
    import mujoco

    mujoco.mj_rnePostConstraint(model, data)
    accelerations = {}
    for b in range(1, model.nbody):
        motion = np.zeros(6)
        mujoco.mj_objectAcceleration(model, data, mujoco.mjtObj.mjOBJ_XBODY, b, motion, 0)
        linear = motion[3:] + model.opt.gravity
        accelerations[model.body(b).name] = [*linear, *motion[:3]]
    return accelerations


def close_loops(model, data):
    """Newton steps on the equalities until they hold."""
    import mujoco

    for _ in range(100):
        mujoco.mj_forward(model, data)
        n = data.ne
        if n == 0:
            return 0.0
        residual = data.efc_pos[:n]
        if np.abs(residual).max() < 1e-13:
            break
        jacobian = equality_jacobian(model, data)
        step = -np.linalg.pinv(jacobian) @ residual
        mujoco.mj_integratePos(model, data.qpos, step, 1.0)
    return np.abs(residual).max()


def equality_jacobian(model, data):
    import mujoco

    jacobian = np.zeros((data.nefc, model.nv))
    if mujoco.mj_isSparse(model):
        mujoco.mju_sparse2dense(
            jacobian, data.efc_J, data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind
        )
    else:
        jacobian[:] = data.efc_J.reshape(-1, model.nv)[: data.nefc]
    return jacobian[: data.ne]


def hard_accelerations(model, data):
    """M·a = f + Jᵀ·λ with J·a = 0, at rest, from MuJoCo's own M, J and f."""
    import mujoco

    mujoco.mj_forward(model, data)
    mass = np.zeros((model.nv, model.nv))
    for k in range(model.nv):
        mujoco.mj_mulM(model, data, mass[k], np.eye(model.nv)[k])
    jacobian = equality_jacobian(model, data)
    inverse = np.linalg.solve(mass, np.column_stack([data.qfrc_smooth, jacobian.T]))
    free, response = inverse[:, 0], inverse[:, 1:]
    force = -np.linalg.lstsq(jacobian @ response, jacobian @ free, rcond=1e-12)[0]
    data.qacc[:] = free + response @ force
    return body_accelerations(model, data)


def compare_mujoco(binary, path):
    import mujoco

    model = mujoco_model(path)
    random = np.random.default_rng(1)
    for armature in (True, False):
        if not armature:
            model.dof_armature[:] = 0.0
            mujoco.mj_setConst(model, mujoco.MjData(model))
        flags = ["--no-loops"] + ([] if armature else ["--no-armature"])
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_EQUALITY
        worst = np.zeros(2)
        for _ in range(N_POSES):
            data = mujoco.MjData(model)
            mujoco.mj_integratePos(model, data.qpos, random.uniform(-0.5, 0.5, model.nv), 1.0)
            data.qvel[:] = random.uniform(-1, 1, model.nv)
            theirs = mujoco_accelerations(model, data)
            start = mujoco_start(model, data)
            record(path, flags, start, theirs)
            n, *errors = difference(ours(binary, path, flags, start), theirs)
            worst = np.maximum(worst, errors)
        WORST.append(("tree", tuple(worst)))
        what = "tree, armature" if armature else "tree, no armature"
        print(f"{path}: MuJoCo, {what}: {n} bodies, {worst[0]:.1e} linear, {worst[1]:.1e} angular")
    if model.neq == 0:
        return
    model = mujoco_model(path)
    # As hard as it goes: impedance 0.9999, and nothing is fed back.
    model.eq_solimp[:] = [0.9999, 0.9999, 0.001, 0.5, 2]
    model.eq_solref[:] = [0.02, 1.0]
    model.opt.tolerance, model.opt.iterations = 1e-15, 1000
    data = mujoco.MjData(model)
    # Away from the reference, where springs would rest and a free robot only falls.
    mujoco.mj_integratePos(model, data.qpos, random.uniform(-0.2, 0.2, model.nv), 1.0)
    gap = close_loops(model, data)
    data.qvel[:] = 0.0
    theirs = mujoco_accelerations(model, data)
    mine = ours(binary, path, [], mujoco_start(model, data))
    n, *errors = difference(mine, theirs)
    print(
        f"{path}: MuJoCo, loops closed to {gap:.0e}, soft: {n} bodies, "
        f"{errors[0]:.1e} linear, {errors[1]:.1e} angular"
    )
    n, *errors = difference(mine, hard_accelerations(model, data))
    print(
        f"{path}: MuJoCo's M, J and forces, solved exactly: {n} bodies, "
        f"{errors[0]:.1e} linear, {errors[1]:.1e} angular"
    )


def compare_pinocchio(binary, path):
    import pinocchio as pin

    for floating in (False, True):
        try:
            model = (
                pin.buildModelFromUrdf(path, pin.JointModelFreeFlyer())
                if floating
                else pin.buildModelFromUrdf(path)
            )
        except Exception as error:  # a model that Pinocchio does not read
            print(f"{path}: Pinocchio: {error}")
            return
        data = model.createData()
        random = np.random.default_rng(2)
        worst, n = np.zeros(2), 0
        for _ in range(N_POSES):
            # Pinocchio's generator gives a continuous joint as a cosine and a sine.
            v = random.uniform(-1, 1, model.nv)
            q = pin.integrate(model, pin.neutral(model), random.uniform(-0.7, 0.7, model.nv))
            damping = np.array(getattr(model, "damping", np.zeros(model.nv)))
            a = pin.aba(model, data, q, v, -damping * v)
            pin.forwardKinematics(model, data, q, v, a)
            pin.updateFramePlacements(model, data)
            coordinates, rates = {}, {}
            root = next(f.name for f in model.frames if f.type == pin.FrameType.BODY)
            for j in range(1, model.njoints):
                joint, name = model.joints[j], model.names[j]
                own_q, own_v = q[joint.idx_q : joint.idx_q + joint.nq], v[joint.idx_v : joint.idx_v + joint.nv]
                if joint.nq == 7:
                    # x, y, z, w and velocities in the body's axes; ours are w first and in the world's.
                    placement = data.oMi[j]
                    name = f"{root} free"
                    own_q = [*own_q[:3], own_q[6], *own_q[3:6]]
                    own_v = [*(placement.rotation @ own_v[:3]), *own_v[3:]]
                elif joint.nq == 2:
                    own_q = [np.arctan2(own_q[1], own_q[0])]
                coordinates[name], rates[name] = list(map(float, own_q)), list(map(float, own_v))
            theirs = {}
            for f, frame in enumerate(model.frames):
                if frame.type == pin.FrameType.BODY:
                    motion = pin.getFrameClassicalAcceleration(
                        model, data, f, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
                    )
                    theirs[frame.name] = [*motion.linear, *motion.angular]
            flags = ["--no-loops"] + (["--floating"] if floating else [])
            start = {"coordinates": coordinates, "rates": rates}
            record(path, flags, start, theirs)
            n, *errors = difference(ours(binary, path, flags, start), theirs)
            worst = np.maximum(worst, errors)
        WORST.append(("tree", tuple(worst)))
        base = "floating" if floating else "fixed"
        print(
            f"{path}: Pinocchio, {base} base: {n} bodies, {worst[0]:.1e} linear, {worst[1]:.1e} angular"
        )


if __name__ == "__main__":
    binary, *models = sys.argv[1:]
    to = None
    if models[0] == "--record":
        _, to, *models = models
    for path in models:
        text = open(path).read(100000)
        try:
            (compare_mujoco if "<mujoco" in text and "<robot" not in text else compare_pinocchio)(binary, path)
        except subprocess.CalledProcessError as error:
            print(f"{path}: {error.stderr.strip()}")
        except ValueError as error:  # a model that MuJoCo does not read
            print(f"{path}: {error}")
    if to:
        with open(to, "w") as file:
            lines = ",\n".join(json.dumps(own) for own in RECORDED)
            file.write(f"[\n{lines}\n]\n")
