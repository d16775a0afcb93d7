//===- RandomInputs.h - Inputs to run a model on ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Random values for the inputs of a graph, of kinds that ValueKinds says. Equal
// seeds give equal values on every machine. Integers are such that their users
// accept them (IndexRanges.h). Unknown dimensions are small; those of one name
// are equal.
//
// A model does not state its requirements on inputs beyond their types. So
// sizes and integers can be chosen: the caller tries one choice after the other
// (InputSearch.h).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_INTERNAL_RANDOMINPUTS_H
#define ONNXFOLD_ONNX_VERIFY_INTERNAL_RANDOMINPUTS_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/verify/RandomTensor.h"
#include "onnxfold/onnx/verify/internal/ModelNumbers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace onnxfold {

/// How the sizes of dynamic dimensions are chosen.
enum class Sizes {
  ByName,     // one for each name, and for each dimension without one
  ByPosition, // one for each position in a shape: batch, sequence ...
  Equal,      // one for all
};

/// The integers that an input holds.
enum class Integers {
  FromReaders, // what its users accept
  Zeros,
  Ones,
  Ascending, // 0, 1, 2 ...
  FromModel, // one of the model's own, all of them equal
};

struct InputChoice {
  Sizes sizes = Sizes::ByName;
  int64_t least = 2; // of the sizes that are not in `chosen`
  Integers integers = Integers::FromReaders;
  llvm::StringMap<int64_t> chosen; // sizes and ranks, by keys (OpenSize)
  llvm::StringMap<std::pair<Integers, unsigned>> integersOf; // by input
};

/// Dimensions that have one size, or the rank of an input that states none.
struct OpenSize {
  std::string key;
  llvm::SmallVector<unsigned, 2> inputs; // that have such a dimension
  int64_t size;
  bool isRank = false;
};

/// The kinds of numbers of floats and of integers.
struct ValueKinds {
  Numbers floats = Numbers::Usual, integers = Numbers::Usual;
  unsigned round = 0; // decides the number of Numbers::Same
};

/// The facts that do not change from one set of inputs to the next.
struct InputSource {
  const FoldLimits &limits;
  const ModelNumbers &model;
  uint64_t seed;
};

struct RandomInputs {
  std::vector<FoldedValue> values; // of the inputs, in their order
  std::vector<OpenSize> openSizes;
};

/// A value for each input of `graph`. `trial` decides the random numbers and
/// the sizes. Inputs in `given` get the value there, and dimensions of other
/// inputs with the same names get the same sizes. The graph's operations get
/// the types that follow from the sizes. An error names an input of a type
/// without random values, or an input that would be larger than
/// `limits.maxResultBytes`.
llvm::Expected<RandomInputs>
randomInputs(mlir::FunctionOpInterface graph, const InputSource &source,
             unsigned trial, const InputChoice &choice, const ValueKinds &kinds,
             const llvm::StringMap<FoldedValue> *given = nullptr);

/// The work that it takes to draw these values, in the units of
/// FoldLimits::maxWork.
double workOfDrawing(llvm::ArrayRef<FoldedValue> values);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_INTERNAL_RANDOMINPUTS_H
