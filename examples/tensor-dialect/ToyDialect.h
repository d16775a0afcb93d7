//===- ToyDialect.h - A dialect whose constants the library holds ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// What a compiler has of its own: operators on tensors, and `toy.constant`.
// Nothing here depends on onnx-fold but the name of a dialect: a constant is
// whatever attribute has the ElementsAttr interface, and the library's
// DisposableElementsAttr is one.
//
//===----------------------------------------------------------------------===//
#ifndef TOY_DIALECT_H
#define TOY_DIALECT_H

#include "onnxfold/elements/ir/ElementsDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ToyDialect.h.inc"

#define GET_OP_CLASSES
#include "ToyOps.h.inc"

namespace mlir {
class Pass;
} // namespace mlir

namespace toy {

/// Makes the operators foldable by the engine (ToyFolding.cpp).
void addFolding(ToyDialect *dialect);

/// toy.load becomes toy.constant over the mapped file (ToyLoad.cpp). Files are
/// looked for in `directory`.
std::unique_ptr<mlir::Pass> createLoadPass(std::string directory = ".");
void registerLoadPass();

} // namespace toy

#endif // TOY_DIALECT_H
