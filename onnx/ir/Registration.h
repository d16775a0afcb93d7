//===- Registration.h - Making operators known to a context -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Operators are registered from ONNX's schemas, one by one or all. MLIR allows
// registration only while no other thread uses the context, and does not check
// that in release builds: register what the model has, and what any pattern may
// create, before passes start.
//
//   DialectRegistry registry;
//   registerOnnxDialect(registry, OperatorSet::All);   // fold-opt
//
//   context.loadDialect<OnnxDialect>();                // importer
//   registerOperator(context, "", "Abs");
//
// This header also has the two hooks for code above this folder, which onnx/ir
// must not include.
//
//===----------------------------------------------------------------------===//

#ifndef ONNXFOLD_ONNX_IR_REGISTRATION_H
#define ONNXFOLD_ONNX_IR_REGISTRATION_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <string>

namespace mlir {
class DialectRegistry;
class MLIRContext;
class OpAsmParser;
class OpAsmPrinter;
} // namespace mlir

namespace onnxfold {

enum class OperatorSet {
  OnDemand, ///< onnx.Custom only; the rest by registerOperator
  All       ///< every operator when the dialect is loaded (0.2 ms)
};

/// Adds the dialect to a registry.
void registerOnnxDialect(mlir::DialectRegistry &registry, OperatorSet set);

/// Registers one operator, for all its versions. Returns true if it is
/// registered now (also if it was before), and false if no schema has that
/// name; such nodes become onnx.Custom. Returns true for `Constant`, which is
/// static. Loads the dialect. REQUIRES: no other thread uses the context.
bool registerOperator(mlir::MLIRContext &context, llvm::StringRef domain,
                      llvm::StringRef opType);

/// Registers every operator. REQUIRES: as registerOperator.
void registerAllOperators(mlir::MLIRContext &context);

/// The name of the operation for an operator: `onnx.Abs`, `onnx.ml.Scaler`,
/// `onnx.preview.FlexAttention`, `onnx.training.Adam`; empty for domains
/// without schemas.
std::string operationName(llvm::StringRef domain, llvm::StringRef opType);

/// The function that Operation::fold calls for operators. Its arguments are
/// those of OperationName::foldHook; operand attributes are null where not
/// constant.
using FoldHook = std::function<mlir::LogicalResult(
    mlir::Operation *, llvm::ArrayRef<mlir::Attribute>,
    llvm::SmallVectorImpl<mlir::OpFoldResult> &)>;

/// Sets (or with {} removes) the hook for all operators of the context. Without
/// a hook, operators do not fold. The hook must be thread safe.
/// REQUIRES: the dialect is loaded; no other thread uses the context.
void setFoldHook(mlir::MLIRContext &context, FoldHook hook);

/// How onnx.Constant writes and reads its value. The default is the attribute's
/// own text.
struct ConstantAsm {
  std::function<void(mlir::OpAsmPrinter &, mlir::ElementsAttr)> print;
  std::function<mlir::ParseResult(mlir::OpAsmParser &, mlir::ElementsAttr &)>
      parse;
};

/// Replaces the text form of constants (attributes of other dialects can print
/// as `dense<...>`). Empty members mean the default. REQUIRES: as setFoldHook.
void setConstantAsm(mlir::MLIRContext &context, ConstantAsm assembly);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_REGISTRATION_H
