#!/usr/bin/env python3
"""Writes small seed inputs into fuzz/corpus/, which is not committed: files for the readers, random bytes for the rest."""

import base64
import gzip
import json
import pathlib
import random
import struct

ROOT = pathlib.Path(__file__).parent / "corpus"
POINTS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def put(target, name, content):
    folder = ROOT / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


def ascii_stl():
    lines = ["solid tetra"]
    for face in FACES:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex %g %g %g" % POINTS[i] for i in face]
        lines += ["endloop", "endfacet"]
    return "\n".join(lines + ["endsolid tetra", ""])


def binary_stl():
    records = b"".join(struct.pack("<12fH", 0, 0, 0, *(c for i in f for c in POINTS[i]), 0) for f in FACES)
    return b"solid".ljust(80, b"\0") + struct.pack("<I", len(FACES)) + records


def obj():
    text = "# tetra\nmtllib x.mtl\no one\n" + "".join("v %g %g %g\n" % p for p in POINTS)
    text += "".join("f %d/1/1 %d//2 %d\n" % tuple(i + 1 for i in f) for f in FACES)
    return text + "g two\nv 2 2 0\nv 3 0 0\nf 1 2 -2 -1 3\nf 1 \\\n2 3\n"


def ply(order):
    encoding = {"": "ascii", "<": "binary_little_endian", ">": "binary_big_endian"}[order]
    head = "ply\nformat %s 1.0\ncomment c\nelement vertex 5\nproperty float x\nproperty double y\nproperty short z\n" % encoding
    head += "property uchar red\nelement face 2\nproperty list uchar int vertex_indices\nproperty float q\n"
    head += "element edge 1\nproperty int a\nproperty list uint ushort b\nend_header\n"
    rows = [(0, 0, 0, 9), (2, 0, 0, 9), (2, 2, 0, 9), (1, 1, 0, 9), (0, 2, 0, 9)]
    faces = [(3, 0, 1, 3, 0.5), (5, 0, 1, 2, 3, 4, 1.5)]
    if not order:
        return head + "".join(" ".join(map(str, row)) + "\n" for row in rows + faces + [(7, 2, 1, 2)])
    body = b"".join(struct.pack(order + "fdhB", *row) for row in rows)
    body += b"".join(struct.pack(order + "B%dif" % face[0], *face) for face in faces)
    return head.encode() + body + struct.pack(order + "iIHH", 7, 2, 1, 2)


def gltf(uri):
    positions = struct.pack("<12f", *(c for p in POINTS for c in p))
    indices = struct.pack("<12H", *(i for f in FACES for i in f))
    sparse = struct.pack("<HH3f", 1, 0, 5, 5, 5)
    data = positions + indices + sparse
    buffer = {"byteLength": len(data)}
    if uri:
        buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    views = [(0, 48), (48, 24), (72, 2), (76, 12)]
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 2]}],
        "nodes": [
            {"name": "up", "translation": [0, 0, 1], "rotation": [0, 0, 0.70710678, 0.70710678], "children": [1]},
            {"mesh": 0, "scale": [-1, 2, 1]},
            {"name": "m", "mesh": 1, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1]},
        ],
        "meshes": [
            {"name": "t", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]},
            {"primitives": [{"attributes": {"POSITION": 2}, "mode": 5}, {"attributes": {"POSITION": 0}, "mode": 6}]},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "sparse": {
                "count": 1, "indices": {"bufferView": 2, "componentType": 5123}, "values": {"bufferView": 3}}},
        ],
        "bufferViews": [{"buffer": 0, "byteOffset": o, "byteLength": n} for o, n in views],
        "buffers": [buffer],
    }
    text = json.dumps(document, separators=(",", ":"))
    if uri:
        return text
    text = text.encode() + b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


OFF = "OFF\n# c\n5 2 0\n0 0 0\n2 0 0 255 0 0\n2 2 0\n1 1 0\n0 2 0\n3 0 1 3 1 0 0\n5 0 1 2 3 4\n"

put("read_stl", "ascii", ascii_stl())
put("read_stl", "binary", binary_stl())
put("read_obj", "two", obj())
for name, order in [("ascii", ""), ("little", "<"), ("big", ">")]:
    put("read_ply", name, ply(order))
put("read_off", "plain", OFF)
put("read_off", "coff", OFF.replace("OFF", "COFF"))
put("read_scene", "toml", (pathlib.Path(__file__).parent.parent / "testdata/scenes/marbles.toml").read_bytes())
put("read_gltf", "json", gltf(True))
put("read_gltf", "glb", gltf(False))
for name, content in [("obj", obj()), ("ply", ply(""))]:
    put("read_gzip", name, content)
    put("read_gzip", name + "_gz", gzip.compress(content.encode(), mtime=0)[2:])
for target in ["verbs", "hull", "convex_verbs", "parts", "planar", "robots", "documents"]:
    for seed in range(24):
        put(target, "random_%d" % seed, bytes([seed % 4]) + random.Random(seed).randbytes(40 << seed % 5))
