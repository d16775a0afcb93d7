//===- MatMulNBits.cpp - Kernel of com.microsoft.MatMulNBits --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A times the transposed matrix [N, K] that B holds in blocks of 2, 4 or 8
// bits, (b - zero) * scale, plus bias. In double, rounded once: accuracy_level
// allows runtimes less. Zero points are packed as B, or numbers of the type of
// A; without them the middle of the range. Columns in another order (g_idx) and
// packed weights are kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/onnx/kernels/support/Contributed.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"
#include "onnxfold/onnx/kernels/support/ZeroPoints.h"

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {

/// Sizes of the weights.
struct NBits {
  int64_t bits, blockSize, rows, columns, blocks;

  /// Bytes of the zero points of a row.
  int64_t bytesOfZeros() const { return (blocks * bits + 7) / 8; }
};

} // namespace

static ReasonOr<NBits> readNBits(FoldContext &cx) {
  NBits w{cx.integer("bits").value_or(4), cx.integer("block_size").value_or(0),
          cx.integer("N").value_or(0), cx.integer("K").value_or(0), 0};
  constexpr int64_t most = int64_t(1) << 31;
  bool isPower = w.blockSize >= 16 && (w.blockSize & (w.blockSize - 1)) == 0;
  if ((w.bits != 2 && w.bits != 4 && w.bits != 8) || !isPower || w.rows < 1 ||
      w.columns < 1 || w.blockSize > most || w.rows > most || w.columns > most)
    return undefined("attributes 'bits', 'block_size', 'N' and 'K' are " +
                     llvm::Twine(w.bits) + ", " + llvm::Twine(w.blockSize) +
                     ", " + llvm::Twine(w.rows) + " and " +
                     llvm::Twine(w.columns));
  if (cx.hasInput(4) || cx.integer("weight_prepacked").value_or(0) != 0)
    return undefined("g_idx and packed weights are not documented");
  w.blocks = (w.columns + w.blockSize - 1) / w.blockSize;
  return w;
}

/// Input i with that many elements, reshaped.
static ReasonOr<Elements> shaped(FoldContext &cx, unsigned i, Shape shape) {
  const Elements &x = cx.input(i);
  if (x.size() != numElements(shape))
    return invalid("input #" + llvm::Twine(i) + " has shape " +
                   toString(x.shape()) + ", expected " + toString(shape));
  return x.reshape(shape);
}

/// The zero points as f64 [rows, blocks, 1].
static ReasonOr<Elements> zerosOf(FoldContext &cx, const NBits &w) {
  if (!cx.hasInput(3))
    return Elements::splat<double>({}, double(int64_t(1) << (w.bits - 1)));
  Shape each = {w.rows, w.blocks, 1};
  if (cx.input(3).type() != DataType::UInt8) {
    ReasonOr<Elements> zeros = shaped(cx, 3, each);
    return zeros ? ReasonOr<Elements>(zeros->unrounded()) : zeros;
  }
  ReasonOr<Elements> packed = shaped(cx, 3, {w.rows, w.bytesOfZeros()});
  if (!packed)
    return packed;
  Elements zeros = unpacked(*packed, w.bits).slice(1, 0, w.blocks);
  return cast(zeros, DataType::Float64).reshape(each);
}

/// The weights as f64 [rows, columns].
static ReasonOr<Elements> weightsOf(FoldContext &cx, const NBits &w) {
  ReasonOr<Elements> b =
      shaped(cx, 1, {w.rows, w.blocks, w.blockSize * w.bits / 8});
  ReasonOr<Elements> scales = shaped(cx, 2, {w.rows, w.blocks, 1});
  ReasonOr<Elements> zeros = zerosOf(cx, w);
  for (const Reason &wrong : {b.reason(), scales.reason(), zeros.reason()})
    if (wrong)
      return wrong;
  if (Reason large = cx.checkResult(DataType::Float64, {w.rows, w.columns}))
    return large;
  Elements values = cast(unpacked(*b, w.bits), DataType::Float64);
  return scaledBy(lessened(values, *zeros), scales->unrounded())
      .reshape({w.rows, w.blocks * w.blockSize})
      .slice(1, 0, w.columns);
}

static FoldResult foldMicrosoftMatMulNBits(FoldContext &cx) {
  constexpr auto optional = InputRule::Optional;
  constexpr TypeSet zeroTypes = {DataType::UInt8, DataType::Float16,
                                 DataType::Float32, DataType::BFloat16};
  if (Reason wrong = checkInputs(cx, {{floats},
                                      {bytes},
                                      {floats, 0},
                                      {zeroTypes, InputRule::any, optional},
                                      {int32, InputRule::any, optional},
                                      {floats, 0, optional}}))
    return wrong;
  if (cx.input(1).type() != DataType::UInt8)
    return invalid("input #1 has element type i8, expected u8");
  ReasonOr<NBits> w = readNBits(cx);
  if (!w)
    return w.reason();
  ReasonOr<Elements> weights = weightsOf(cx, *w);
  if (!weights)
    return weights.reason();
  Elements a = unroundedInput(cx, 0), b = weights->transpose({1, 0});
  if (a.rank() == 0)
    return invalid("input #0 has rank 0");
  ReasonOr<MatrixProduct> product = planProduct(cx, a, b, cx.input(0).type());
  if (!product)
    return product.reason();
  if (cx.hasInput(5))
    if (Reason wrong = checkShape(cx, 5, {w->rows}))
      return wrong;
  return roundedResult(cx, shiftedBy(matmul(a, b), unroundedInput(cx, 5)));
}

namespace onnxfold {
void registerMicrosoftMatMulNBits(KernelRegistry &registry) {
  registry.add("microsoft.MatMulNBits", {1}, foldMicrosoftMatMulNBits);
}
} // namespace onnxfold
