//===- RotaryEmbedding.cpp - Constant kernel of onnx.RotaryEmbedding ------===//
// SPDX-License-Identifier: Apache-2.0
//
// Pairs of elements of each head, turned by the angle of their position: (x1,
// x2) becomes (cos * x1 - sin * x2, sin * x1 + cos * x2). Pairs are neighbours
// if attribute `interleaved` is set, else an element of the first half and one
// of the second; elements behind `rotary_embedding_dim` are copied. Of angles
// for more elements the first ones are taken, as the function body does it.
// Spec: onnx RotaryEmbedding, version 23. Direct: in double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/AttentionKernels.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"
#include "onnxfold/onnx/kernels/support/Indices.h"
#include "onnxfold/onnx/kernels/support/Windows.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// a * x + b * y in f64.
static Elements combine(const Elements &a, const Elements &x, const Elements &b,
                        const Elements &y, double sign) {
  auto times = [](double v, double w) { return v * w; };
  return zipAs<double, double, double>(
      zipAs<double, double, double>(a, x, times),
      zipAs<double, double, double>(b, y, times),
      [sign](double v, double w) { return v + sign * w; });
}

/// x [batch, heads, sequence, 2 * n], angles [batch, 1, sequence, n].
static Elements rotated(const Elements &x, const Elements &cosines,
                        const Elements &sines, bool interleaved) {
  Shape halves(x.shape());
  halves.back() /= 2;
  halves.insert(interleaved ? halves.end() : halves.end() - 1, 2);
  int64_t pair = interleaved ? 4 : 3;
  Elements pairs = x.reshape(halves);
  Elements first = pairs.slice(pair, 0, 1).squeeze({pair});
  Elements second = pairs.slice(pair, 1, 1).squeeze({pair});
  Elements real = combine(cosines, first, sines, second, -1);
  Elements imaginary = combine(sines, first, cosines, second, 1);
  return concat({real.unsqueeze({pair}), imaginary.unsqueeze({pair})}, pair)
      .reshape(x.shape());
}

/// The cosines or sines of each position as [batch, 1, sequence, half], or what
/// is wrong with them.
static Reason anglesOf(FoldContext &cx, unsigned input, ShapeRef expected,
                       Elements &angles) {
  angles = cx.input(input);
  if (cx.hasInput(3)) {
    const Elements &positions = cx.input(3);
    if (angles.rank() != 2)
      return invalid("input #" + llvm::Twine(input) + " has rank " +
                     llvm::Twine(angles.rank()) + ", expected 2");
    if (positions.type() != DataType::Int64 ||
        positions.shape() != expected.drop_back())
      return invalid("the positions are " + name(positions.type()) +
                     toString(positions.shape()) + ", expected i64" +
                     toString(expected.drop_back()));
    if (auto outside = checkIndices(positions, angles.dim(0)))
      return outside;
    Shape shape = Shape(expected.drop_back());
    shape.push_back(angles.dim(1));
    if (auto limit = cx.checkResult(DataType::Float64, shape))
      return limit;
    angles = gather(angles, positions, 0);
  }
  if (angles.rank() == 3 && angles.dim(2) > expected[2])
    angles = angles.slice(2, 0, expected[2]);
  if (angles.shape() != expected)
    return invalid("the angles of input #" + llvm::Twine(input) +
                   " have shape " + toString(angles.shape()) + ", expected " +
                   toString(expected));
  angles = angles.unsqueeze({1});
  return {};
}

static FoldResult foldRotaryEmbedding(FoldContext &cx) {
  Elements x = cx.input(0);
  int64_t heads = cx.integer("num_heads").value_or(0);
  bool packed = x.rank() == 3;
  if (cx.input(1).type() != x.type() || cx.input(2).type() != x.type())
    return invalid("inputs have different element types");
  if (!packed && x.rank() != 4)
    return invalid("the input has rank " + llvm::Twine(x.rank()) +
                   ", expected 3 or 4");
  if (packed && (heads <= 0 || x.dim(2) % heads != 0))
    return invalid("attribute 'num_heads' is " + llvm::Twine(heads) +
                   ", the input has shape " + toString(x.shape()));
  if (packed)
    x = splitHeads(x, heads);
  int64_t size = cx.integer("rotary_embedding_dim").value_or(0);
  if (size == 0)
    size = x.dim(3);
  if (size < 0 || size > x.dim(3) || size % 2 != 0)
    return invalid("attribute 'rotary_embedding_dim' is " + llvm::Twine(size) +
                   ", expected an even number up to " + llvm::Twine(x.dim(3)));
  Elements cosines, sines;
  Shape angles = {x.dim(0), x.dim(2), size / 2};
  if (auto wrong = anglesOf(cx, 1, angles, cosines))
    return wrong;
  if (auto wrong = anglesOf(cx, 2, angles, sines))
    return wrong;
  bool interleaved = cx.integer("interleaved").value_or(0) != 0;
  auto parts = x.split(3, {size, x.dim(3) - size});
  Elements turned = roundedOnce({parts[0], cosines, sines}, [&](auto e) {
    return rotated(cast(e[0], DataType::Float64), cast(e[1], DataType::Float64),
                   cast(e[2], DataType::Float64), interleaved);
  });
  Elements y = turned ? concat({turned, parts[1]}, 3) : turned;
  return y && packed ? joinHeads(y) : y;
}

namespace onnxfold {
void registerRotaryEmbedding(KernelRegistry &registry) {
  registry.add("RotaryEmbedding", {23}, foldRotaryEmbedding)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
