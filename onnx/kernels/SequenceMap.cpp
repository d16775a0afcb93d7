//===- SequenceMap.cpp - Constant kernel of onnx.SequenceMap --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs a graph for each tensor of a sequence; further inputs are sequences of
// the same length, or tensors, which each run gets whole. Spec: onnx
// SequenceMap, version 17. Direct: its function body is a Loop that inserts
// into sequences.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Bodies.h"
#include "onnxfold/onnx/kernels/support/Sequences.h"

using namespace onnxfold;

static FoldResult foldSequenceMap(FoldContext &cx) {
  ReasonOr<Sequence> input = sequenceInput(cx);
  if (!input)
    return input.reason();
  size_t length = (*input)->size();
  std::vector<Slices> made(cx.numResults());
  for (size_t t = 0; t < length; ++t) {
    llvm::SmallVector<FoldedValue, 4> arguments;
    for (unsigned i = 0; i < cx.numInputs(); ++i) {
      FoldedValue value = cx.hasInput(i) ? cx.anyInput(i) : FoldedValue();
      if (!value)
        return invalid("input #" + llvm::Twine(i) + " is missing");
      if (value.sequence && value.sequence->size() != length)
        return invalid("input #" + llvm::Twine(i) + " has " +
                       llvm::Twine(value.sequence->size()) +
                       " tensors, expected " + llvm::Twine(length));
      arguments.push_back(value.sequence ? (*value.sequence)[t] : value);
    }
    FoldResult given = runGraph(cx, "body", arguments);
    if (!given)
      return given;
    if (given.values().size() < made.size())
      return invalid("the body yields fewer values than there are results");
    for (auto [sequence, value] : llvm::zip(made, given.values()))
      if (Reason wrong = sequence.add(cx, value))
        return wrong;
  }
  llvm::SmallVector<FoldedValue, 1> results;
  for (Slices &sequence : made)
    results.push_back(makeSequence(sequence.tensors));
  return results;
}

namespace onnxfold {
void registerSequenceMap(KernelRegistry &registry) {
  registry.add("SequenceMap", {17}, foldSequenceMap).takesSequences();
}
} // namespace onnxfold
