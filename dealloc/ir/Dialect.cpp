//===- Dialect.cpp - The deallocation dialect -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/ir/Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace onnxfold::deallocation;

#include "onnxfold/dealloc/ir/DeallocationDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "onnxfold/dealloc/ir/DeallocationTypes.cpp.inc"

void DeallocationDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "onnxfold/dealloc/ir/DeallocationTypes.cpp.inc"
      >();
}

void DeallocationDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "onnxfold/dealloc/ir/DeallocationOps.cpp.inc"
      >();
}
