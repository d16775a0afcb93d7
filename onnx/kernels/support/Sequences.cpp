//===- Sequences.cpp - Sequences as inputs of kernels ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Sequences.h"

using namespace onnxfold;

ReasonOr<Sequence> onnxfold::sequenceInput(FoldContext &cx) {
  if (!cx.hasInput(0))
    return invalid("input #0 is missing");
  if (Sequence sequence = cx.anyInput(0).sequence)
    return sequence;
  return invalid("input #0 is not a sequence");
}

ReasonOr<int64_t> onnxfold::positionOf(FoldContext &cx, unsigned i,
                                       int64_t count, int64_t end) {
  Elements tensor = cx.anyInput(i).tensor;
  if (!tensor || !isInteger(tensor.type()) || tensor.size() != 1)
    return invalid("input #" + llvm::Twine(i) + " is not one integer");
  int64_t given = tensor.ints()[0];
  int64_t value = given < 0 ? given + end : given;
  if (value < 0 || value >= count)
    return invalid("position " + llvm::Twine(given) + " is outside of a " +
                   "sequence of " + llvm::Twine(end));
  return value;
}
