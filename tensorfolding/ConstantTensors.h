//===- ConstantTensors.h - What an entry runs once --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// constant-tensor-folding sets the attribute `onnxfold.constant_tensors` on an
// entry. It says which functions run once, with which arguments of the original
// entry, and which arguments of the entry take their results. Later passes read
// and change it by these functions; constant-tensors-metadata writes it as
// bytes for the run-time library (runtime/Metadata.h) before the module becomes
// a program.
//
//   onnxfold.constant_tensors = {
//     symbol = "mlp.fold_metadata",
//     arguments = [{type = tensor<4x64xf32>, role = "variable", entry = 0},
//                  {type = tensor<64x64xf32>, role = "runtime", entry = -1}],
//     results = [tensor<4x64xf32>],
//     folded = [{type = tensor<8x64x8x1xf32>, entry = 1}],
//     parts = [{function = @mlp.fold_runtime, tier = "runtime",
//               arguments = array<i64: 1>, folded = array<i64: 0>,
//               hash = "e7c1..."}]}
//
// It is an attribute and not bytes while passes run, so that renamed functions
// are renamed in it too, and parts that were evaluated can be removed.
// Thread safety: as attributes; one thread changes an entry.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_CONSTANTTENSORS_H
#define ONNXFOLD_TENSORFOLDING_CONSTANTTENSORS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>

namespace onnxfold {

/// How long a value stays constant, from the strongest tier to the weakest.
enum class ConstantTier {
  CompileTime, // known when the program is compiled
  Runtime,     // the same in every run, known in the first one
  Variable,
};

/// "compiletime", "runtime" or "variable".
llvm::StringRef nameOf(ConstantTier tier);

/// The interface of a folded entry. Arguments and results are those of the
/// original entry and have their numbers there.
struct ConstantTensors {
  static constexpr int64_t notTaken = -1;

  struct Argument {
    mlir::Type type;
    ConstantTier tier = ConstantTier::Variable;
    int64_t entry = notTaken; // its number in the folded entry, or notTaken
  };
  struct Folded {
    mlir::RankedTensorType type; // dynamic sizes are known after the fold
    int64_t entry = notTaken;    // the number of the entry's argument
  };
  /// A function that computes folded tensors from arguments only.
  struct Part {
    mlir::FlatSymbolRefAttr function;
    ConstantTier tier = ConstantTier::Runtime; // CompileTime or Runtime
    llvm::SmallVector<int64_t> arguments;      // of the function, in its order
    llvm::SmallVector<int64_t> folded; // its results: indices into folded
    /// 32 hexadecimal digits: equal for functions that compute the same from
    /// their arguments, in any module. Empty: the hash is not known.
    std::string hash;
  };

  std::string symbol; // of the constant with the metadata
  llvm::SmallVector<Argument> arguments;
  llvm::SmallVector<mlir::Type> results;
  llvm::SmallVector<Folded> folded;
  llvm::SmallVector<Part> parts;
};

constexpr llvm::StringLiteral constantTensorsAttrName =
    "onnxfold.constant_tensors";

/// The attribute of an entry; an error at the entry if it has none or one that
/// is not of the form above.
llvm::FailureOr<ConstantTensors>
getConstantTensors(mlir::FunctionOpInterface entry);

void setConstantTensors(mlir::FunctionOpInterface entry,
                        const ConstantTensors &tensors);

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_CONSTANTTENSORS_H
