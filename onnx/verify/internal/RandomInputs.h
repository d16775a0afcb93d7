//===- RandomInputs.h - Inputs to run a model on ----------------*- C++ -*-===//
//
// Random values for the inputs of a graph, the same for the same seed on every
// machine: floats in [-1, 1], integers that their users accept (IndexRanges.h).
// Open dimensions are small; those of one name are equal.
//
// A model does not state its requirements on inputs beyond their types. So
// there are several choices of sizes and integers, the likely ones first; the
// caller tries one after the other.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_INTERNAL_RANDOMINPUTS_H
#define ONNXFOLD_ONNX_VERIFY_INTERNAL_RANDOMINPUTS_H

#include "onnxfold/constprop/Evaluation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace onnxfold {

/// How often one may choose anew.
unsigned numInputChoices();

/// A value for each input of `graph`. `trial`: which random numbers, and sizes;
/// `choice` < numInputChoices(). Inputs that `given` has get that value, and the
/// dimensions of other inputs follow by name. The graph's operations get the types that
/// follow from the sizes. An error names an input whose type has no values
/// here, or that would be larger than `limits.maxResultBytes`.
llvm::Expected<std::vector<FoldedValue>>
randomInputs(mlir::FunctionOpInterface graph, const FoldLimits &limits,
             uint64_t seed, unsigned trial, unsigned choice,
             const llvm::StringMap<FoldedValue> *given = nullptr);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_INTERNAL_RANDOMINPUTS_H
