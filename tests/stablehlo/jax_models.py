# SPDX-License-Identifier: Apache-2.0
"""Eleven models of JAX, folded and not, by XLA.

jax_models.py STABLEHLO_FOLD FOLDER    writes NAME.mlir and NAME.folded.mlir; prints operations as they are, after inlining and
                                       CSE, and folded; the largest relative difference of results; instructions that XLA runs
"""

import pathlib
import re
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src import xla_bridge
from jax._src.lib import xla_client
from jaxlib import _jax

R = np.random.default_rng(0)


def W(*s, sc=None):
    return (R.normal(size=s) * (sc or 1 / np.sqrt(s[0]))).astype(np.float32)


def mlp():
    ws = [(W(32, 64), W(64)), (W(64, 64), W(64)), (W(64, 10), W(10))]
    mean, std = W(32), abs(W(32)) + 1

    def f(x):
        x = (x - mean) / std
        for w, b in ws[:-1]:
            x = jax.nn.relu(x @ (w * np.float32(0.5)).T.T + b)
        return jax.nn.softmax(x @ ws[-1][0] + ws[-1][1])

    return f, (W(4, 32),)


def resnet():
    def bn(c):
        return W(c, sc=1) + 1, W(c, sc=1), W(c, sc=1), abs(W(c, sc=1)) + 0.5

    stem = W(3, 3, 3, 16, sc=0.1)
    blocks = [(W(3, 3, 16, 16, sc=0.1), bn(16), W(3, 3, 16, 16, sc=0.1), bn(16)) for _ in range(3)]
    fc = W(16, 10)
    bn0 = bn(16)
    conv = lambda x, w, s=1: lax.conv_general_dilated(x, w, (s, s), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    norm = lambda x, p: (x - p[2]) * (p[0] / jnp.sqrt(p[3] + 1e-5)) + p[1]

    def f(x):
        x = jax.nn.relu(norm(conv(x, stem, 2), bn0))
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        for a, p, b, q in blocks:
            x = jax.nn.relu(x + norm(conv(jax.nn.relu(norm(conv(x, a), p)), b), q))
        return x.mean((1, 2)) @ fc

    return f, (W(1, 32, 32, 3, sc=1),)


def layer(d, h):
    return dict(
        q=W(d, d),
        k=W(d, d),
        v=W(d, d),
        o=W(d, d),
        g1=W(d, sc=1),
        b1=W(d, sc=1),
        g2=W(d, sc=1),
        b2=W(d, sc=1),
        w1=W(d, 4 * d),
        w2=W(4 * d, d),
    )


def ln(x, g, b):
    m = x.mean(-1, keepdims=True)
    return (x - m) / jnp.sqrt(((x - m) ** 2).mean(-1, keepdims=True) + 1e-5) * g + b


def attn(p, x, h, mask=None):
    B, S, D = x.shape
    sp = lambda t: t.reshape(B, S, h, D // h).transpose(0, 2, 1, 3)
    q, k, v = sp(x @ p["q"]), sp(x @ p["k"]), sp(x @ p["v"])
    s = q @ k.transpose(0, 1, 3, 2) / np.sqrt(D // h).astype(np.float32)
    if mask is not None:
        s = jnp.where(mask, s, -1e9)
    return (jax.nn.softmax(s) @ v).transpose(0, 2, 1, 3).reshape(B, S, D) @ p["o"]


def block(p, x, h, mask=None):
    x = x + attn(p, ln(x, p["g1"], p["b1"]), h, mask)
    return x + jax.nn.gelu(ln(x, p["g2"], p["b2"]) @ p["w1"]) @ p["w2"]


def sinus(S, D):
    pos = jnp.arange(S)[:, None]
    i = jnp.arange(D // 2)
    a = pos / 10000 ** (2 * i / D)
    return jnp.concatenate([jnp.sin(a), jnp.cos(a)], 1)


def transformer():
    ps = [layer(32, 4) for _ in range(2)]

    def f(x):
        x = x + sinus(x.shape[1], 32)
        for p in ps:
            x = block(p, x, 4)
        return x

    return f, (W(2, 8, 32, sc=1),)


def gpt():
    emb = W(50, 32, sc=1)
    ps = [layer(32, 4) for _ in range(3)]
    st = jax.tree.map(lambda *a: np.stack(a), *ps)

    def f(t):
        S = t.shape[1]
        x = jnp.asarray(emb)[t] + sinus(S, 32)
        mask = jnp.tril(jnp.ones((S, S), bool))
        x, _ = lax.scan(lambda c, p: (block(p, c, 4, mask), None), x, jax.tree.map(jnp.asarray, st))
        return x @ emb.T

    return f, (np.array([[1, 2, 3, 4, 5, 6]], np.int32),)


def lstm():
    wx, wh, b = W(16, 4 * 24), W(24, 4 * 24), W(4 * 24)
    out = W(24, 5)

    def f(x):
        def step(c, v):
            h, s = c
            i, g, o, u = jnp.split(v @ wx + h @ wh + b, 4, -1)
            s = jax.nn.sigmoid(g + 1) * s + jax.nn.sigmoid(i) * jnp.tanh(u)
            h = jax.nn.sigmoid(o) * jnp.tanh(s)
            return (h, s), h

        (h, _), ys = lax.scan(step, (jnp.zeros((2, 24)), jnp.zeros((2, 24))), x.transpose(1, 0, 2))
        return ys @ out

    return f, (W(2, 7, 16, sc=1),)


def decode():
    emb, w, o = W(30, 16, sc=1), W(16, 16), W(16, 30)

    def f(tok):
        def body(c):
            i, t, h, out = c
            h = jnp.tanh(jnp.asarray(emb)[t] @ w + h)
            t = jnp.argmax(h @ o)
            return i + 1, t, h, out.at[i].set(t)

        return lax.while_loop(lambda c: (c[0] < 8) & (c[1] != 3), body, (0, tok, jnp.zeros(16), jnp.zeros(8, jnp.int32)))[3]

    return f, (np.int32(5),)


def vae():
    w1, b1, k1, k2 = W(8, 4 * 4 * 16), W(256), W(3, 3, 16, 8, sc=0.2), W(3, 3, 8, 1, sc=0.2)
    noise = jax.random.PRNGKey(7)

    def f(z):
        z = z + 0.1 * jax.random.uniform(noise, z.shape)
        x = jax.nn.relu(z @ w1 + b1).reshape(-1, 4, 4, 16)
        for k in (k1, k2):
            x = jax.nn.leaky_relu(lax.conv_transpose(x, k, (2, 2), "SAME"))
        return jax.nn.sigmoid(x)

    return f, (W(2, 8, sc=1),)


def quantised():
    q = lambda w: (np.round(w / np.abs(w).max() * 127).astype(np.int8), np.float32(np.abs(w).max() / 127))
    ws = [q(W(32, 64)), q(W(64, 10))]

    def f(x):
        for w, s in ws:
            sx = jnp.abs(x).max() / 127
            xi = jnp.round(x / sx).astype(jnp.int8)
            x = jax.nn.relu(
                lax.dot_general(xi, w, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32).astype(jnp.float32) * (sx * s)
            )
        return x

    return f, (W(4, 32, sc=1),)


def vit():
    ps = [layer(32, 4) for _ in range(2)]
    pe, cls, pos = W(4 * 4 * 3, 32), W(1, 1, 32, sc=1), W(1, 17, 32, sc=1)

    def f(im):
        B = im.shape[0]
        x = im.reshape(B, 4, 4, 4, 4, 3).transpose(0, 1, 3, 2, 4, 5).reshape(B, 16, 48) @ pe
        x = jnp.concatenate([jnp.broadcast_to(cls, (B, 1, 32)), x], 1) + jax.image.resize(pos, (1, 17, 32), "bilinear")
        for p in ps:
            x = block(p, x, 4)
        return x[:, 0]

    return f, (W(2, 16, 16, 3, sc=1),)


def gcn():
    src, dst = R.integers(0, 12, 30), R.integers(0, 12, 30)
    w1, w2 = W(8, 16), W(16, 4)
    A = np.zeros((12, 12), np.float32)

    def f(x):
        deg = jax.ops.segment_sum(jnp.ones(30), dst, 12) + 1
        n = 1 / jnp.sqrt(deg)
        for w in (w1, w2):
            x = jax.nn.relu(jax.ops.segment_sum((x * n[:, None])[src] * n[dst][:, None], dst, 12) @ w)
        return x

    return f, (W(12, 8, sc=1),)


def bf16():
    ws = [W(32, 32) for _ in range(3)]

    def f(x):
        for w in ws:
            x = jax.nn.silu(x.astype(jnp.bfloat16) @ jnp.asarray(w).astype(jnp.bfloat16) * jnp.bfloat16(0.7))
        return x.astype(jnp.float32)

    return f, (W(4, 32, sc=1),)


MODELS = dict(
    mlp=mlp,
    resnet=resnet,
    transformer=transformer,
    gpt=gpt,
    lstm=lstm,
    decode=decode,
    vae=vae,
    quantised=quantised,
    vit=vit,
    gcn=gcn,
    bf16=bf16,
)


OPERATION = re.compile(r'= "?(?:stablehlo|chlo)\.(?!constant)')
IDLE = re.compile(r" (constant|parameter|tuple|get-tuple-element)\(")


def operations(text):
    return sum(OPERATION.search(line) is not None for line in text.splitlines())


def run(text, args):
    """The results by XLA, and how many instructions it has left."""
    client = xla_bridge.get_backend("cpu")
    devices = _jax.DeviceList(tuple(client.local_devices()[:1]))
    executable = client.compile_and_load(text, devices, xla_client.CompileOptions())
    results = executable.execute_sharded([jax.device_put(np.asarray(a)) for a in args])
    values = [np.asarray(r[0], np.float64) for r in results.disassemble_into_single_device_arrays()]
    lines = executable.hlo_modules()[0].to_string().splitlines()
    return values, sum(" = " in line and not IDLE.search(line) for line in lines)


def fold(*arguments):
    return subprocess.run([sys.argv[1], *map(str, arguments)], capture_output=True, text=True, check=True).stdout


def main():
    folder = pathlib.Path(sys.argv[2])
    for name, make in MODELS.items():
        f, args = make()
        text = jax.jit(f).lower(*args).compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True)
        path = folder / f"{name}.mlir"
        path.write_text(text)
        inlined = fold("--passes=inline,cse,symbol-dce", path)
        folded = fold(path)
        (folder / f"{name}.folded.mlir").write_text(folded)
        (before, instructions), (after, left) = run(text, args), run(folded, args)
        difference = max(np.abs(a - b).max() / (np.abs(a).max() + 1e-30) for a, b in zip(before, after, strict=True))
        counts = [operations(form) for form in (text, inlined, folded)]
        print(f"| {name} | {' | '.join(map(str, counts))} | {difference:.1e} | {instructions} | {left} |", flush=True)
        assert difference < 1e-5, name


if __name__ == "__main__":
    main()
