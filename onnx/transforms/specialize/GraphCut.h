//===- GraphCut.h - A part of a model as a model ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Gives the main graph of a model other inputs and outputs: those that a user
// names, which may be values in its middle. Operators that the outputs do not
// need are erased, custom and random ones too.
//
//   a -> Relu -> h -> MatMul -> g -> Softmax -> y
//                |-----------------| --inputs=h --outputs=g
//
//   Expected<GraphCut> cut = GraphCut::find(module, {{"h"}, {"g"}});
//   for (CutValue &value : cut->inputs)  // and outputs: what is inferred
//     value.type = ...;
//   if (Error error = cut->apply(hasDefault)) ...
//
// If inputs are named, the model has these inputs, in this order, and of the
// others only those that are needed and have a default value (an initializer).
// If outputs are named, the model has these outputs, in this order, and inputs
// that only the other outputs needed are erased. An initializer that becomes an
// input is no longer constant.
//
// Values in bodies of control flow and in functions are not values of the main
// graph: they have other values, or none, in every iteration and call.
//
// Errors are in the words of the command line; after one from apply() the
// module is half changed. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_SPECIALIZE_GRAPHCUT_H
#define ONNXFOLD_ONNX_TRANSFORMS_SPECIALIZE_GRAPHCUT_H

#include "onnxfold/onnx/transforms/specialize/CutNames.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace onnxfold {

/// A value at the border.
struct CutValue {
  std::string name;
  mlir::Value value;  ///< until apply()
  bool isNew = false; ///< the model has no such input, or output
  mlir::Type type;    ///< the declared type, or a better one
  std::vector<std::string> dimensions; ///< names, as Model.h has them
};

class GraphCut {
public:
  static llvm::Expected<GraphCut> find(mlir::ModuleOp module,
                                       const CutNames &names);

  std::vector<CutValue> inputs, outputs;
  bool hasNew() const;

  /// `hasDefault`: an initializer has the value of an input that no caller
  /// gives. REQUIRES: types of new values are as good as they get.
  llvm::Error apply(llvm::function_ref<bool(llvm::StringRef)> hasDefault);

  // After apply().

  /// A result of `op` has another name now, since an input has its name.
  bool isRenamed(mlir::Operation *op) const { return renamed.contains(op); }
  /// Domain and type of each operator that was erased.
  llvm::ArrayRef<std::pair<std::string, std::string>> erased() const {
    return erasedOperators;
  }

private:
  GraphCut(mlir::ModuleOp module, const CutNames &names)
      : module(module), cutsInputs(!names.inputs.empty()),
        cutsOutputs(!names.outputs.empty()) {}
  void setOutputs();
  void addInput(const CutValue &input);
  void eraseUnneeded();
  void renameTaken();
  llvm::Error eraseInputs(unsigned numBefore, llvm::ArrayRef<bool> wasRead);

  mlir::ModuleOp module;
  bool cutsInputs, cutsOutputs;
  llvm::DenseSet<mlir::Operation *> renamed;
  std::vector<std::pair<std::string, std::string>> erasedOperators;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_SPECIALIZE_GRAPHCUT_H
