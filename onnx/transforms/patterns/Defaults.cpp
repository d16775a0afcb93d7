//===- Defaults.cpp - Operands that equal their default -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What is exact for floats too. A bound of Clip is not: without one some
// runtimes clip infinities, others do not. Zero points of QuantizeLinear and
// DequantizeLinear are kept, since runtimes look for both of a pair.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Clip
//===----------------------------------------------------------------------===//

/// A bound of integers that bounds nothing. 64-bit bounds are no doubles.
static bool isEndOfType(const CleanUpContext &cx, bool isUpper) {
  Elements bound = cx.constant(isUpper ? 2 : 1);
  if (!bound || bound.rank() != 0 || !isInteger(bound.type()) ||
      bitWidth(bound.type()) < 8)
    return false;
  unsigned bits = bitWidth(bound.type());
  if (!isSigned(bound.type()))
    return bound.number().to<uint64_t>() ==
           (isUpper ? llvm::maxUIntN(bits) : 0);
  return bound.number().to<int64_t>() ==
         (isUpper ? llvm::maxIntN(bits) : llvm::minIntN(bits));
}

Value patterns::matchClipOfNothing(const CleanUpContext &cx) {
  constexpr int asInputs = 11;
  if (!cx.op.is("Clip") || cx.op.since() < asInputs ||
      !isInteger(cx.typeOf(cx.op->getResult(0))))
    return {};
  for (bool isUpper : {false, true})
    if (cx.op.hasInput(isUpper ? 2 : 1) && !isEndOfType(cx, isUpper))
      return {};
  return patterns::inputAlike(cx, 0);
}

static InputEdits editClip(const CleanUpContext &cx) {
  constexpr int asInputs = 11;
  InputEdits edits;
  for (bool isUpper : {false, true})
    if (cx.op.since() >= asInputs && isEndOfType(cx, isUpper))
      edits.push_back({isUpper ? 2u : 1u, Value()});
  return edits;
}

//===----------------------------------------------------------------------===//
// What moves elements
//===----------------------------------------------------------------------===//

/// Input #i is 0, 1, 2 ... `count` - 1.
static bool countsUp(const CleanUpContext &cx, unsigned i, int64_t count) {
  Elements list = cx.constant(i);
  return list && list.rank() == 1 && list.size() == count &&
         llvm::equal(list.ints(), llvm::seq<int64_t>(0, count));
}

static InputEdits editSlice(const CleanUpContext &cx) {
  constexpr int asInputs = 10;
  if (cx.op.since() < asInputs)
    return {};
  const auto &starts = cx.knownValues().state(cx.op.input(1)).shape;
  if (!starts || starts->size() != 1)
    return {};
  auto count = cx.knownValues().exprs().valueOf(starts->front());
  if (cx.op.hasInput(4)) {
    // There are as many steps as starts: runtimes refuse others.
    Elements steps = cx.constant(4);
    if (!steps || steps.rank() != 1 || steps.size() != count ||
        llvm::any_of(steps.ints(), [](int64_t step) { return step != 1; }))
      return {};
    return {{4, Value()}};
  }
  if (count && cx.op.hasInput(3) && countsUp(cx, 3, *count))
    return {{3, Value()}};
  return {};
}

static InputEdits editPad(const CleanUpContext &cx) {
  constexpr int asInputs = 11;
  InputEdits edits;
  if (cx.op.since() < asInputs)
    return edits;
  if (Elements value = cx.constant(2);
      value && value.rank() == 0 && cx.isAll(2, 0.0))
    edits.push_back({2, Value()});
  const auto &shape = cx.knownValues().state(cx.op.input(0)).shape;
  if (shape && cx.op.hasInput(3) && countsUp(cx, 3, shape->size()))
    edits.push_back({3, Value()});
  return edits;
}

/// A region is of interest where one is cropped; sizes come in two forms, of
/// which one may be empty.
static InputEdits editResize(const CleanUpContext &cx) {
  constexpr int optional = 13;
  InputEdits edits;
  if (cx.op.since() < optional)
    return edits;
  if (cx.constant(1) && cx.op.getString("coordinate_transformation_mode",
                                        "half_pixel") != "tf_crop_and_resize")
    edits.push_back({1, Value()});
  for (unsigned i : {2u, 3u})
    if (Elements list = cx.constant(i);
        list && list.size() == 0 && cx.op.hasInput(5 - i))
      edits.push_back({i, Value()});
  return edits;
}

//===----------------------------------------------------------------------===//
// What is added to integers
//===----------------------------------------------------------------------===//

static InputEdits editZeroInputs(const CleanUpContext &cx,
                                 ArrayRef<unsigned> inputs) {
  InputEdits edits;
  for (unsigned i : inputs)
    if (cx.op.hasInput(i) && isInteger(cx.typeOf(cx.op.input(i))) &&
        cx.isAll(i, 0))
      edits.push_back({i, Value()});
  return edits;
}

InputEdits patterns::editDefaults(const CleanUpContext &cx) {
  if (cx.op.is("Clip"))
    return editClip(cx);
  if (cx.op.is("Slice"))
    return editSlice(cx);
  if (cx.op.is("Pad"))
    return editPad(cx);
  if (cx.op.is("Resize"))
    return editResize(cx);
  if (cx.op.is("Trilu"))
    return editZeroInputs(cx, 1);
  if (cx.op.is("ConvInteger") || cx.op.is("MatMulInteger"))
    return editZeroInputs(cx, {2, 3});
  if (cx.op.is("QLinearConv"))
    return editZeroInputs(cx, 8);
  constexpr int optional = 11;
  if (cx.op.is("Gemm") && cx.op.since() >= optional)
    return editZeroInputs(cx, 2);
  return {};
}
