# SPDX-License-Identifier: Apache-2.0
"""Programs that users of JAX write, of constants alone: folded by stablehlo-fold, and run by XLA as they are and folded.

    jax_programs.py STABLEHLO_FOLD [NAME...]    prints programs of which something is left, and its names; exit status 1 if a
                                                value differs, or if a program is left that is not in KEPT

Most are after names in JAX's own tests (lax_numpy_test, linalg_test, nn_test, random_test, fft_test).
"""

import re
import subprocess
import sys
import warnings

import jax
import jax.numpy as jnp
import jax.scipy as jsp
import ml_dtypes
import numpy as np
from jax import lax
from jax._src import xla_bridge
from jax._src.lib import xla_client
from jaxlib import _jax

warnings.simplefilter("ignore")
jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)

R = np.random.default_rng(47)
KEY = np.array([0, 42], np.uint32)


def F(*shape):
    return R.normal(size=shape).astype(np.float32)


def C(*shape):
    return (R.normal(size=shape) + 1j * R.normal(size=shape)).astype(np.complex64)


def spd(n):
    a = F(n, n)
    return a @ a.T + n * np.eye(n, dtype=np.float32)


def rotary(x):
    """Rotary embeddings, as Llama has them: pairs are complex numbers that turn."""
    angles = jnp.outer(jnp.arange(x.shape[0]), 1 / 10000 ** (jnp.arange(0, x.shape[1], 2) / x.shape[1])).astype(jnp.float32)
    pairs = x.reshape(x.shape[0], -1, 2)
    turned = lax.complex(pairs[..., 0], pairs[..., 1]) * jnp.exp(1j * angles)
    return jnp.stack([turned.real, turned.imag], -1).reshape(x.shape)


def polynomial(roots):
    """Coefficients of the polynomial that has these roots."""
    p = jnp.ones(1, roots.dtype)
    for i in range(roots.shape[0]):
        p = jnp.convolve(p, jnp.stack([jnp.ones((), roots.dtype), -roots[i]]))
    return p


def durandKerner(p):
    """All roots at once, by as many steps as it takes."""
    n = p.shape[0] - 1
    first = (0.4 + 0.9j) ** jnp.arange(n, dtype=jnp.float32)

    def step(_, z):
        apart = z[:, None] - z[None, :] + jnp.eye(n, dtype=z.dtype)
        return z - jnp.polyval(p, z) / jnp.prod(apart, 1)

    return lax.fori_loop(0, 40, step, first.astype(jnp.complex64))


def mandelbrot(n):
    c = jnp.linspace(-2, 1, n)[None, :] + 1j * jnp.linspace(-1, 1, n)[:, None]

    def step(_, state):
        z, count = state
        z = jnp.where(jnp.abs(z) < 2, z * z + c, z)
        return z, count + (jnp.abs(z) < 2)

    return lax.fori_loop(0, 20, step, (jnp.zeros_like(c), jnp.zeros(c.shape, jnp.int32)))[1]


def quantised(dtype):
    def f(x, w):
        scale = [jnp.max(jnp.abs(a)) / float(ml_dtypes.finfo(dtype).max) for a in (x, w)]
        a, b = ((v / s).astype(dtype) for v, s in zip((x, w), scale))
        return lax.dot(a, b, preferred_element_type=jnp.float32) * scale[0] * scale[1]

    return f


def collatz(n):
    def steps(x):
        return lax.while_loop(lambda s: s[0] != 1, lambda s: (jnp.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1), (x, 0))[1]

    return jax.vmap(steps)(n)


def newton(x):
    def root(a):
        return lax.while_loop(lambda s: jnp.abs(s * s - a) > 1e-4, lambda s: 0.5 * (s + a / s), a)

    return jax.vmap(root)(x)


def bisection(a):
    def halved(_, s):
        middle = (s[0] + s[1]) / 2
        return jnp.where(middle * middle < a, middle, s[0]), jnp.where(middle * middle < a, s[1], middle)

    return lax.fori_loop(0, 30, halved, (jnp.zeros_like(a), a + 1))


def pooled(a):
    return lax.reduce_window(a, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def special(names):
    return lambda a: [getattr(jsp.special, f)(a) for f in names.split()]


def scanned(cell):
    return lambda xs: lax.scan(cell, jnp.zeros(xs.shape[1:], xs.dtype), xs)


def lu(a):
    """Without pivots, by loops and updates of slices."""

    def column(k, m):
        factor = jnp.where(jnp.arange(m.shape[0]) > k, m[:, k] / m[k, k], 0)
        return (m - jnp.outer(factor, jnp.where(jnp.arange(m.shape[0]) >= k, m[k], 0))).at[:, k].add(factor)

    return lax.fori_loop(0, a.shape[0] - 1, column, a)


def jacobi(a, b):
    d = jnp.diag(a)
    return lax.fori_loop(0, 30, lambda _, x: (b - a @ x + d * x) / d, b)


def attention(q, k, v):
    scores = jnp.einsum("hqd,hkd->hqk", q, k) / np.sqrt(q.shape[-1]).astype(np.float32)
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(jnp.where(mask, scores, -jnp.inf)), v)


def spectrum(x):
    window = jnp.hanning(x.shape[-1])
    return jnp.abs(jnp.fft.rfft(x * window.astype(x.dtype))) ** 2


def stft(x):
    return jsp.signal.stft(x, nperseg=16)[2]


def filtered(x):
    """A low pass by the frequencies."""
    f = jnp.fft.fft2(x)
    keep = (jnp.abs(jnp.fft.fftfreq(x.shape[0]))[:, None] < 0.2) & (jnp.abs(jnp.fft.fftfreq(x.shape[1]))[None] < 0.2)
    return jnp.fft.ifft2(jnp.where(keep, f, 0)).real


x, y, z, c, d = F(4, 6), F(4, 6), np.abs(F(4, 6)) + 0.1, C(5), C(5)
s, m, image = spd(5), F(5, 5), F(1, 8, 8, 3)
i8, i32 = R.integers(-100, 100, (4, 6)).astype(np.int8), R.integers(-9, 9, (4, 6)).astype(np.int32)
unit = np.tanh(x) * np.float32(0.99)

PROGRAMS = {
    # Complex numbers
    "exp(1j x)": (lambda a: jnp.exp(1j * a), x),
    "rotary": (rotary, F(6, 8)),
    "polynomial of roots": (polynomial, C(4)),
    "durandKerner": (durandKerner, np.array([1, -6, 11, -6], np.float32)),
    "mandelbrot": (lambda: mandelbrot(12)),
    "angle": (jnp.angle, c),
    "polar": (lambda a: jnp.abs(a) * jnp.exp(1j * jnp.angle(a)), c),
    "complex power": (lambda a, b: a**b, c, d),
    "complex whole power": (lambda a: a**3 + a**-2 + a**0.5, c),
    "complex sqrt log": (lambda a: jnp.sqrt(a) + jnp.log(a) + jnp.log1p(a) + jnp.expm1(a), c),
    "complex circular": (lambda a: jnp.stack([jnp.sin(a), jnp.cos(a), jnp.tan(a), jnp.sinh(a), jnp.cosh(a), jnp.tanh(a)]), c),
    "complex arcs": (lambda a: jnp.stack([f(a) for f in (jnp.arcsin, jnp.arccos, jnp.arctan, jnp.arcsinh, jnp.arccosh, jnp.arctanh)]), c),
    "complex sign": (lambda a: jnp.sign(a) + lax.rsqrt(a) + jax.nn.sigmoid(a), c),
    "complex mean": (lambda a: (jnp.mean(a), jnp.var(a), jnp.prod(a), jnp.cumsum(a)), c),
    "complex sort": (lambda a: jnp.sort(a), c),
    "complex maximum": (lambda a, b: jnp.maximum(a, b), c, d),
    "complex matmul": (lambda a, b: (a @ b, jnp.vdot(a[0], b[0]), jnp.outer(a[0], b[0])), C(3, 3), C(3, 3)),
    "complex double": (lambda a: jnp.exp(a) * jnp.log(a) / jnp.sqrt(a), c.astype(np.complex128)),
    "complex gradient": (lambda a: jax.grad(lambda b: jnp.abs(jnp.sum(jnp.exp(1j * b) * c)) ** 2)(a), F(5)),
    "complex convolve": (lambda a, b: jnp.convolve(a, b), C(6), C(3)),
    "isclose complex": (lambda a: jnp.isclose(a, a * (1 + 1e-9)), c),
    "sinc": (jnp.sinc, x),
    "unwrap": (lambda a: jnp.unwrap(jnp.cumsum(a)), F(9)),
    # Fourier transforms
    "fft": (lambda a: jnp.fft.ifft(jnp.fft.fft(a) * jnp.exp(-2j * jnp.pi * jnp.fft.fftfreq(a.shape[0]))), c),
    "spectrum": (spectrum, F(3, 16)),
    "stft": (stft, F(64)),
    "low pass": (filtered, F(8, 8)),
    "irfft": (lambda a: jnp.fft.irfft(jnp.fft.rfft(a) * 2), F(10)),
    "fftshift": (lambda a: jnp.fft.fftshift(jnp.fft.fft2(a)), F(4, 4)),
    "hfft": (lambda a: jnp.fft.hfft(a), c),
    "dct": (lambda a: jsp.fft.dct(a), F(8)),
    "fftconvolve": (lambda a, b: jsp.signal.fftconvolve(a, b), F(12), F(5)),
    # Small floats
    "quantised e4m3": (quantised(ml_dtypes.float8_e4m3fn), F(4, 8), F(8, 3)),
    "quantised e5m2": (quantised(ml_dtypes.float8_e5m2), F(4, 8), F(8, 3)),
    "quantised e4m3fnuz": (quantised(ml_dtypes.float8_e4m3fnuz), F(4, 8), F(8, 3)),
    "convert e4m3b11": (lambda a: a.astype(jnp.float8_e4m3b11fnuz).astype(jnp.float32), x),
    "convert e3m4": (lambda a: a.astype(jnp.float8_e3m4).astype(jnp.float32), x),
    "convert e4m3": (lambda a: a.astype(jnp.float8_e4m3).astype(jnp.float32), x),
    "convert e8m0": (lambda a: a.astype(jnp.float8_e8m0fnu).astype(jnp.float32), z),
    "fp8 arithmetic": (lambda a: a.astype(jnp.float8_e4m3fn) + a.astype(jnp.float8_e4m3fn) * 2, x),
    "fp8 sum": (lambda a: jnp.sum(a.astype(jnp.float8_e5m2)), z),
    "fp8 maximum": (lambda a: jnp.maximum(a.astype(jnp.float8_e4m3fn), 0), x),
    "fp8 dot": (lambda a: a.astype(jnp.float8_e4m3fn) @ a.T.astype(jnp.float8_e4m3fn), x),
    "fp8 exp": (lambda a: jnp.exp(a.astype(jnp.float8_e4m3fn)), x),
    "fp8 scaled": (lambda a: (a.astype(jnp.float8_e4m3fn).astype(jnp.bfloat16) * jnp.bfloat16(0.5)), x),
    "int4": (lambda a: (a.astype(jnp.int4).astype(jnp.float32) * 0.1, a.astype(jnp.uint4)), i32),
    "int8 matmul": (lambda a: lax.dot(a, a.T, preferred_element_type=jnp.int32), i8),
    "float16": (lambda a: jnp.mean(a.astype(jnp.float16) * 3), x),
    "reduce_precision": (lambda a: lax.reduce_precision(a, 5, 2), x),
    # Random numbers of a key that is known
    "random bits": (lambda k: jax.random.bits(k, (5,)), KEY),
    "random uniform": (lambda k: jax.random.uniform(k, (5,)), KEY),
    "random normal": (lambda k: jax.random.normal(k, (5,)), KEY),
    "random split": (lambda k: jax.random.split(k, 3), KEY),
    "random fold_in": (lambda k: jax.random.fold_in(k, 7), KEY),
    "random permutation": (lambda k: jax.random.permutation(k, 7), KEY),
    "random categorical": (lambda k: jax.random.categorical(k, jnp.log(z), axis=1), KEY),
    "random truncated": (lambda k: jax.random.truncated_normal(k, -1, 1, (5,)), KEY),
    "random randint": (lambda k: jax.random.randint(k, (5,), 0, 100), KEY),
    "random gamma": (lambda k: jax.random.gamma(k, 2.0, (3,)), KEY),
    "random gumbel": (lambda k: jax.random.gumbel(k, (5,)), KEY),
    "random orthogonal": (lambda k: jax.random.rademacher(k, (5,)), KEY),
    "random dropout": (lambda k: jnp.where(jax.random.bernoulli(k, 0.5, x.shape), x, 0), KEY),
    "random poisson": (lambda k: jax.random.poisson(k, 3.0, (4,)), KEY),
    "random choice": (lambda k: jax.random.choice(k, 10, (4,), replace=False), KEY),
    "random typed key": (lambda: jax.random.normal(jax.random.key(3), (4,))),
    "random rbg": (lambda: jax.random.bits(jax.random.key(3, impl="rbg"), (4,))),
    # Linear algebra
    "cholesky": (lambda a: jnp.linalg.cholesky(a), s),
    "solve": (lambda a, b: jnp.linalg.solve(a, b), s, F(5)),
    "inv": (jnp.linalg.inv, s),
    "det": (jnp.linalg.det, F(3, 3)),
    "slogdet": (jnp.linalg.slogdet, m),
    "qr": (lambda a: jnp.abs(jnp.linalg.qr(a)[1]), m),
    "svd": (lambda a: jnp.linalg.svd(a, compute_uv=False), m),
    "eigh": (jnp.linalg.eigvalsh, s),
    "eig": (jnp.linalg.eigvals, m),
    "norm": (lambda a: (jnp.linalg.norm(a), jnp.linalg.norm(a, 1), jnp.linalg.norm(a, jnp.inf), jnp.linalg.norm(a, axis=0)), m),
    "matrix_power": (lambda a: jnp.linalg.matrix_power(a, 5), m),
    "expm": (lambda a: jsp.linalg.expm(a), m * np.float32(0.1)),
    "triangular": (lambda a, b: jsp.linalg.solve_triangular(a, b, lower=True), np.tril(s), F(5, 2)),
    "cho_solve": (lambda a, b: jsp.linalg.cho_solve((jsp.linalg.cholesky(a), False), b), s, F(5)),
    "lu by loops": (lu, s),
    "jacobi": (jacobi, s, F(5)),
    "kron": (jnp.kron, F(2, 3), F(3, 2)),
    "tensordot": (lambda a, b: jnp.tensordot(a, b, 2), F(2, 3, 4), F(3, 4, 5)),
    "einsum": (lambda a, b: jnp.einsum("bij,bkj->bik", a, b), F(2, 3, 4), F(2, 5, 4)),
    "multi_dot": (lambda a, b, e: jnp.linalg.multi_dot([a, b, e]), F(3, 4), F(4, 5), F(5, 2)),
    "cross": (jnp.cross, F(4, 3), F(4, 3)),
    "toeplitz": (jsp.linalg.toeplitz, F(4)),
    "cov": (lambda a: (jnp.cov(a), jnp.corrcoef(a)), x),
    "lstsq of normal equations": (lambda a, b: jsp.linalg.cho_solve(jsp.linalg.cho_factor(a.T @ a), a.T @ b), F(8, 3), F(8)),
    "vander": (jnp.vander, F(4)),
    "block_diag": (lambda a, b: jsp.linalg.block_diag(a, b), F(2, 2), F(3, 3)),
    # Loops
    "collatz": (collatz, np.arange(1, 12)),
    "newton": (newton, np.abs(F(6)) + 1),
    "scan": (scanned(lambda h, a: (jnp.tanh(h + a), h)), x),
    "reverse scan": (lambda a: lax.scan(lambda h, b: (h * 0.5 + b, h), jnp.zeros(6, jnp.float32), a, reverse=True), x),
    "scan of scans": (lambda a: lax.scan(lambda h, r: lax.scan(lambda g, b: (g + b, g), h, r), jnp.float32(0), a), x),
    "associative scan": (lambda a: lax.associative_scan(jnp.multiply, a), x),
    "cumulative": (lambda a: (jnp.cumsum(a, 1), jnp.cumprod(a), lax.cummax(a), lax.cumlogsumexp(a)), x),
    "cond": (lambda a: lax.cond(jnp.sum(a) > 0, jnp.sin, jnp.cos, a), x),
    "switch": (lambda i, a: lax.switch(i, [jnp.sin, jnp.cos, jnp.tan], a), np.int32(1), x),
    "vmapped cond": (lambda a: jax.vmap(lambda b: lax.cond(b > 0, jnp.exp, jnp.negative, b))(a), F(6)),
    "fori": (lambda a: lax.fori_loop(0, 5, lambda i, b: b.at[i % 4].multiply(i), a), x),
    "bisection": (bisection, z),
    
    "map": (lambda a: lax.map(lambda r: jnp.sort(r)[::-1], a), x),
    "fibonacci": (lambda: lax.fori_loop(0, 40, lambda _, s: (s[1], s[0] + s[1]), (0, 1))),
    "gradient": (lambda a: jax.grad(lambda b: jnp.sum(jnp.tanh(b @ b.T)))(a), x),
    "hessian": (lambda a: jax.hessian(lambda b: jnp.sum(jnp.sin(b) * b))(a), F(3)),
    "jvp": (lambda a: jax.jvp(jnp.sin, (a,), (a,)), x),
    "checkpoint": (lambda a: jax.grad(jax.checkpoint(lambda b: jnp.sum(jnp.sin(jnp.sin(b)))))(a), x),
    # jax.nn
    **{
        "nn." + f: ((lambda g: lambda a: g(a))(getattr(jax.nn, f)), x)
        for f in (
            "relu relu6 sigmoid softplus silu gelu elu selu celu leaky_relu hard_tanh hard_sigmoid hard_silu soft_sign log_sigmoid mish "
            "softmax log_softmax logsumexp standardize squareplus sparse_plus sparse_sigmoid swish glu identity"
        ).split()
    },
    "nn.gelu exact": (lambda a: jax.nn.gelu(a, approximate=False), x),
    "nn.one_hot": (lambda a: jax.nn.one_hot(a, 5), np.array([0, 3, 5, -1])),
    "nn.dot_product_attention": (lambda a: jax.nn.dot_product_attention(a, a, a, is_causal=True), F(1, 4, 2, 8)),
    "attention": (attention, F(2, 4, 8), F(2, 4, 8), F(2, 4, 8)),
    "layer norm": (lambda a: (a - a.mean(-1, keepdims=True)) * lax.rsqrt(a.var(-1, keepdims=True) + 1e-5), x),
    "conv": (lambda a, k: lax.conv_general_dilated(a, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")), image, F(3, 3, 3, 4)),
    "conv transpose": (lambda a, k: lax.conv_transpose(a, k, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")), image, F(3, 3, 3, 4)),
    "max pool": (pooled, image),
    "gradient of a pool": (jax.grad(lambda a: jnp.sum(pooled(a) ** 2)), image),
    "average pool": (lambda a: lax.reduce_window(a, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "SAME") / 4, image),
    "resize": (lambda a: jax.image.resize(a, (1, 5, 11, 3), "bilinear"), image),
    "resize cubic": (lambda a: jax.image.resize(a, (1, 12, 5, 3), "cubic"), image),
    "scale_and_translate": (lambda a: jax.image.scale_and_translate(a[0], (6, 6, 3), (0, 1), jnp.ones(2), jnp.zeros(2), "linear"), image),
    "map_coordinates": (lambda a: jsp.ndimage.map_coordinates(a[0, ..., 0], [jnp.arange(5.0) * 1.3, jnp.arange(5.0)], 1), image),
    # jax.numpy
    "where": (lambda a: jnp.where(a > 0, a, jnp.nan), x),
    "argsort": (lambda a: (jnp.argsort(a), jnp.argmax(a, 1), jnp.argmin(a)), x),
    "median": (lambda a: (jnp.median(a), jnp.quantile(a, 0.3), jnp.percentile(a, 20, axis=1)), x),
    "histogram": (lambda a: jnp.histogram(a, 5), x),
    "searchsorted": (lambda a: jnp.searchsorted(jnp.sort(a.ravel()), jnp.array([0.0, 1.0])), x),
    "unique": (lambda a: jnp.unique(a, size=12), i32),
    "nonzero": (lambda a: jnp.nonzero(a > 0, size=10), i32),
    "bincount": (lambda a: jnp.bincount(jnp.abs(a.ravel()), length=12), i32),
    "digitize": (lambda a: jnp.digitize(a, jnp.array([-1.0, 0, 1])), x),
    "interp": (lambda a: jnp.interp(a, jnp.array([-1.0, 0, 2]), jnp.array([3.0, 1, 7])), x),
    "take_along": (lambda a: jnp.take_along_axis(a, jnp.argsort(a, 1)[:, :2], 1), x),
    "index update": (lambda a: a.at[jnp.array([0, 2]), jnp.array([1, 3])].add(5).at[1].set(0).at[:, 2].max(0), x),
    "segment_sum": (lambda a: jax.ops.segment_sum(a, jnp.array([0, 1, 0, 2]), 3), x),
    "roll": (lambda a: jnp.roll(a, 2, 1) + jnp.flip(a, 0) + jnp.rot90(a, 2), x),
    "pad": (lambda a: (jnp.pad(a, 1), jnp.pad(a, 2, mode="reflect"), jnp.pad(a, 1, mode="edge")), x),
    "tri": (lambda a: (jnp.triu(a), jnp.tril(a, -1), jnp.diag(a[:, :4]), jnp.trace(a)), x),
    "meshgrid": (lambda a: jnp.meshgrid(a, a * 2), F(3)),
    "stacks": (lambda a: (jnp.stack([a, a]), jnp.concatenate([a, a], 1), jnp.repeat(a, 2, 0), jnp.tile(a, (2, 1))), x),
    "divmod": (lambda a: (a // 3, a % 3, jnp.divmod(a, -2), jnp.gcd(a, 6), jnp.lcm(a, 4)), i32),
    "bits": (lambda a: (a << 2, a >> 1, a & 3, ~a, a ^ 5, jnp.bitwise_count(a)), i32),
    "float parts": (lambda a: (jnp.frexp(a), jnp.ldexp(a, 3), jnp.modf(a), jnp.nextafter(a, 0 * a), jnp.spacing(a)), x),
    "rounds": (lambda a: (jnp.round(a, 1), jnp.floor(a), jnp.trunc(a), jnp.rint(a), jnp.sign(a), jnp.signbit(a)), x),
    "logs": (lambda a: (jnp.log2(a), jnp.log10(a), jnp.logaddexp(a, -a), jnp.exp2(a), jnp.cbrt(a), jnp.hypot(a, a)), z),
    "arcs": (lambda a: (jnp.arcsin(a), jnp.arctan2(a, -a), jnp.arctanh(a), jnp.arcsinh(a), jnp.deg2rad(a)), unit),
    "powers": (lambda a: (a**2, a**-1.5, jnp.float_power(a, 2.5), 2**a), z),
    "integer powers": (lambda a: (a**3, jnp.power(a, 2)), i32),
    "statistics": (lambda a: (jnp.mean(a), jnp.std(a, 1), jnp.ptp(a), jnp.nanmean(a), jnp.average(a, 0), jnp.any(a > 2), jnp.all(a > -9)), x),
    "nan": (lambda a: (jnp.nan_to_num(jnp.log(a)), jnp.nansum(jnp.sqrt(a)), jnp.isfinite(1 / (a * 0))), x),
    "clip": (lambda a: (jnp.clip(a, -1, 1), jnp.maximum(a, 0), jnp.fmin(a, 0.5)), x),
    "polynomials": (lambda a: (jnp.polyval(jnp.array([1.0, 2, 3]), a), jnp.polyder(a[0]), jnp.polymul(a[0], a[1])), x),
    "gradient of array": (lambda a: (jnp.gradient(a[0]), jnp.diff(a), jnp.trapezoid(a), jnp.ediff1d(a)), x),
    "linspace": (lambda: (jnp.linspace(0, 1, 7), jnp.logspace(0, 2, 5), jnp.geomspace(1, 100, 3), jnp.arange(0, 1, 0.3))),
    "windows": (lambda: (jnp.hamming(8), jnp.blackman(8), jnp.kaiser(8, 14.0), jnp.bartlett(8))),
    "convolve": (lambda a, b: (jnp.convolve(a, b), jnp.correlate(a, b)), F(7), F(3)),
    "convolve2d": (lambda a, b: jsp.signal.convolve2d(a, b), F(5, 5), F(3, 3)),
    "apply_along_axis": (lambda a: jnp.apply_along_axis(jnp.sort, 0, a), x),
    "select": (lambda a: jnp.select([a < -1, a > 1], [a * 2, a * 3], 0), x),
    "packbits": (lambda a: (jnp.packbits(a > 0), jnp.unpackbits(jnp.packbits(a > 0))), x),
    "set operations": (lambda a: (jnp.isin(a, jnp.array([1, 2, 3])), jnp.union1d(a, a, size=30)), i32),
    "lexsort": (lambda a: jnp.lexsort((a[0], a[1])), i32),
    "partition": (lambda a: (jnp.partition(a[0], 2), jnp.argpartition(a[0], 2)), x),
    "top_k": (lambda a: lax.top_k(a, 3), x),
    "convert": (lambda a: (a.astype(jnp.int32), a.astype(jnp.bfloat16), (a > 0).astype(jnp.int8)), x),
    "bitcast": (lambda a: lax.bitcast_convert_type(a, jnp.int32), x),
    "view": (lambda a: a.view(jnp.uint8), x),
    # jax.scipy
    "special": (special("erf erfc erfinv expit ndtr ndtri log_ndtr i0e i1e i0 i1 entr"), unit * 0.4 + 0.5),
    "gamma": (special("gammaln digamma gamma factorial"), z),
    "gammainc": (lambda a: (jsp.special.gammainc(a, a), jsp.special.gammaincc(a, 2 * a), jsp.special.betaln(a, a)), z),
    "betainc": (lambda a: jsp.special.betainc(a, a, jnp.full_like(a, 0.4)), z),
    "zeta": (lambda a: (jsp.special.zeta(a + 1, a), jsp.special.polygamma(2, a)), z),
    "expi": (lambda a: (jsp.special.expi(a), jsp.special.exp1(a), jsp.special.spence(a)), z),
    "bessel": (lambda a: jsp.special.bessel_jn(a, v=2, n_iter=10), z),
    "logpdf": (lambda a: (jsp.stats.norm.logpdf(a), jsp.stats.norm.cdf(a), jsp.stats.t.logpdf(a, 3), jsp.stats.gamma.logpdf(jnp.abs(a), 2)), x),
    "xlogy": (lambda a: (jsp.special.xlogy(a, z), jsp.special.kl_div(z, z * 2), jsp.special.rel_entr(z, z + 1)), x),
    "logit": (jsp.special.logit, unit * 0.4 + 0.5),
    "lax conv1d": (lambda a, k: lax.conv(a, k, (1,), "SAME"), F(1, 2, 9), F(3, 2, 3)),
}

# Programs that are not folded to the end, and why.
LAPACK, TYPE = "a call of LAPACK", "a type without kernels"
KEPT = {
    **dict.fromkeys(("convert e4m3b11", "convert e3m4", "convert e4m3"), TYPE),
    **dict.fromkeys("cholesky solve inv slogdet qr svd eigh eig expm triangular cho_solve".split(), LAPACK),
    "lstsq of normal equations": LAPACK,
    "fp8 sum": "an order that is left open",
    "random rbg": "numbers of the implementation",
    "checkpoint": "optimization_barrier",
    "divmod": "gcd divides by 0 where the quotient is not used",
}

OPERATION = re.compile(r'= "?((?:stablehlo|chlo)\.(?!constant)\w+|(?:func\.)?call)\b')


def run(text):
    client = xla_bridge.get_backend("cpu")
    devices = _jax.DeviceList(tuple(client.local_devices()[:1]))
    executable = client.compile_and_load(text, devices, xla_client.CompileOptions())
    return [np.asarray(r[0]) for r in executable.execute_sharded([]).disassemble_into_single_device_arrays()]


def differ(got, want):
    """The largest difference, of the largest number of the result; whole numbers must be equal."""
    if got.dtype != want.dtype or got.shape != want.shape:
        return 9
    if want.dtype.kind in "iub" or want.dtype.name.startswith(("int", "uint")):
        return 0 if np.array_equal(got, want) else 8
    wide = np.complex128 if want.dtype.kind == "c" else np.float64
    g, w = got.astype(wide), want.astype(wide)
    finite = np.isfinite(w)
    if not np.array_equal(finite, np.isfinite(g)) or not np.array_equal(np.isnan(g), np.isnan(w)):
        return 7
    if not np.array_equal(g[~finite & ~np.isnan(w)], w[~finite & ~np.isnan(w)]):
        return 6
    return float(np.abs(np.where(finite, g - w, 0)).max(initial=0) / (np.abs(w[finite]).max(initial=0) + 1e-30))


def main():
    wrong = 0
    names = sys.argv[2:] or PROGRAMS
    for name in names:
        function, *arguments = PROGRAMS[name] if isinstance(PROGRAMS[name], tuple) else (PROGRAMS[name],)
        try:
            text = jax.jit(lambda: jax.jit(function)(*arguments)).lower().compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True)
        except Exception as error:  # a function that this version of JAX lacks
            print("???", name, repr(error)[:300])
            continue
        done = subprocess.run([sys.argv[1], "-"], input=text, capture_output=True, text=True)
        if done.returncode != 0:
            print("!!!", name, done.stderr[:500])
            wrong += 1
            continue
        left = sorted(set(OPERATION.findall(done.stdout)))
        if len(sys.argv) > 2:
            print(text, done.stdout)
        worst = max((differ(got, want) for got, want in zip(run(done.stdout), run(text), strict=True)), default=0)
        wide = 1e-2 if "float8" in text or "f8E" in text or "f16" in text else 2e-5
        if worst > wide or left:
            print(f"{name} ({KEPT.get(name, 'unexpected')}): differs by {worst:.1e}, left {' '.join(left)}", flush=True)
        wrong += worst > wide or bool(left) != (name in KEPT)
    print(len(names), "programs,", wrong, "wrong or left unexpectedly")
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main()))
