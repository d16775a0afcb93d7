//===- RandomInputs.h - Inputs to run a model on ----------------*- C++ -*-===//
//
// Random values for the inputs of a graph: floats in [-1, 1], and integers that
// their users accept (IndexRanges.h). Equal seeds give equal values on every
// machine. Unknown dimensions are small; those of one name are equal.
//
// A model does not state its requirements on inputs beyond their types. So
// there are several choices of sizes and integers, the likely ones first. The
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

/// The number of choices of sizes and integers.
unsigned numInputChoices();

/// A value for each input of `graph`. `trial` decides the random numbers and
/// the sizes; `choice` is less than numInputChoices(). Inputs in `given` get
/// the value there, and dimensions of other inputs with the same names get the
/// same sizes. The graph's operations get the types that follow from the sizes.
/// An error names an input of a type without random values, or an input that
/// would be larger than `limits.maxResultBytes`.
llvm::Expected<std::vector<FoldedValue>>
randomInputs(mlir::FunctionOpInterface graph, const FoldLimits &limits,
             uint64_t seed, unsigned trial, unsigned choice,
             const llvm::StringMap<FoldedValue> *given = nullptr);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_INTERNAL_RANDOMINPUTS_H
