"""The table of docs/import.md: masses, mobility, accelerations and run times of imported robots.

    python -m venv /tmp/peers && /tmp/peers/bin/pip install mujoco pin example-robot-data numpy
    cargo build --release -p linkwork-cli -p linkwork-import --example forward_dynamics
    /tmp/peers/bin/python docs/import-check/table.py target/release MODEL... > table.md

Models with mesh files beside them are imported with these. One line for each model:

- mass and mobility: ours and the peer's (MuJoCo for MJCF, Pinocchio for URDF; links fixed to the world count in
  neither). A peer's mobility is its velocities less the rank of its equalities, at the pose that both start from;
- accelerations of the tree: the largest difference at random poses, as `compare.py` has it;
- run: seconds of one simulated second with `linkwork run`, frames of 1/60 s, without limits, motors and contacts;
- remark: what went wrong, in the words of the program; with limits, motors and contacts too, in 20 s at most.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

import compare


def linkwork(binary, *words, timeout=120):
    begin = time.time()
    try:
        done = subprocess.run([binary, *words], capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return -1, "", f"took more than {timeout} s", timeout
    return done.returncode, done.stdout, done.stderr.strip(), time.time() - begin


def total_mass(scene):
    """Of bodies that can move: what is welded to the ground, one after the other, does not count."""
    bodies = {body["name"]: body for body in scene.get("bodies", []) if body["type"] == "rigid"}
    fixed, grown = {"ground"}, True
    fixed |= {body["name"] for body in scene.get("bodies", []) if body["type"] == "kinematic"}
    while grown:
        grown = False
        for joint in scene.get("joints", []):
            if joint["type"] == "weld" and "a" in joint and not joint.get("compliance"):
                sides = {joint["a"]["body"], joint["b"]["body"]}
                if sides & fixed and not sides <= fixed:
                    fixed |= sides
                    grown = True
    return sum(body["mass"] for name, body in bodies.items() if name not in fixed)


def of_mujoco(path):
    import mujoco

    model = compare.mujoco_model(path)
    moving = [b for b in range(1, model.nbody) if model.body_weldid[b] != 0]
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    rank = 0
    if data.ne:
        jacobian = compare.equality_jacobian(model, data)
        # Models round their numbers: rows that differ by less are the same.
        rank = np.linalg.matrix_rank(jacobian, tol=1e-6 * max(np.abs(jacobian).max(), 1.0))
    return float(sum(model.body_mass[b] for b in moving)), model.nv - int(rank)


def of_pinocchio(path):
    import pinocchio as pin

    model = pin.buildModelFromUrdf(path)
    return sum(inertia.mass for inertia in list(model.inertias)[1:]), model.nv


def accelerations(forward, path, is_mjcf, flags):
    """The largest difference, linear or angular, of the tree; floating too for a URDF."""
    compare.WORST.clear()
    compare.FLAGS[:] = flags
    (compare.compare_mujoco if is_mjcf else compare.compare_pinocchio)(forward, path)
    return max((max(own) for what, own in compare.WORST if what == "tree"), default=float("nan"))


def row(folder, path, scratch):
    binary, forward = os.path.join(folder, "linkwork"), os.path.join(folder, "examples", "forward_dynamics")
    text = open(path).read(200000)
    is_mjcf = "<mujoco" in text and "<robot" not in text
    scene_file = os.path.join(scratch, "scene.json")
    code, _, words, _ = linkwork(binary, "import", path, "-o", scene_file, "-q")
    remark = []
    if code != 0:
        remark.append(words.splitlines()[0].replace(path, "").replace("error: : ", "").replace("error: ", "")[:110])
        linkwork(binary, "import", path, "-o", scene_file, "-q", "--lossy")
    try:
        mass, mobility = of_mujoco(path) if is_mjcf else of_pinocchio(path)
    except Exception as error:
        mass, mobility = float("nan"), "-"
        remark.append(f"peer: {str(error).splitlines()[0][:60]}")
    ours, freedom, seconds, off = float("nan"), "-", "-", "-"
    if os.path.exists(scene_file):
        with open(scene_file) as file:
            ours = total_mass(json.load(file))
        found, out, _, _ = linkwork(binary, "check", scene_file, "--json")
        if out:
            freedom = json.loads(out)["mobility"]
        if found != 0:
            remark.append("joints contradict each other")
        bare_file = os.path.join(scratch, "bare.json")
        bare = ["--no-limits", "--no-motors", "--no-contacts", "--lossy"]
        linkwork(binary, "import", path, "-o", bare_file, "-q", *bare)
        ran, out, words, _ = linkwork(binary, "run", bare_file, "--seconds", "1")
        took = [line.split()[1] for line in (out + words).splitlines() if line.strip().startswith("took")]
        seconds = took[0] if took else "-"
        if ran != 0:
            remark.append("run: " + words.splitlines()[-1][:90] if words else "run failed")
        ran, _, words, _ = linkwork(binary, "run", scene_file, "--seconds", "1", timeout=20)
        if ran != 0:
            faults = [line for line in words.splitlines() if "error" in line or "took" in line]
            remark.append("whole: " + (faults or ["run failed"])[0].removeprefix("error: ")[:90])
        try:
            off = f"{accelerations(forward, path, is_mjcf, ['--lossy']):.1e}"
        except Exception as error:
            off = "-"
            remark.append(f"compare: {str(getattr(error, 'stderr', None) or error).strip().splitlines()[-1][:70]}")
        os.remove(scene_file)
    number = lambda own: "-" if own != own else f"{own:.6g}"
    return [
        number(ours), number(mass), str(freedom), str(mobility), off, seconds, "; ".join(remark),
    ]


if __name__ == "__main__":
    folder, *models = sys.argv[1:]
    sys.stdout.write("| model | mass | peer | mobility | peer | accelerations | run | remark |\n|---|---|---|---|---|---|---|---|\n")
    with tempfile.TemporaryDirectory() as scratch:
        for path in models:
            name = "/".join(path.split("/")[-2:])
            out, sys.stdout = sys.stdout, open(os.devnull, "w")
            try:
                cells = row(folder, path, scratch)
            finally:
                sys.stdout = out
            sys.stdout.write(f"| {name} | " + " | ".join(cells) + " |\n")
            sys.stdout.flush()
