//===- ToyDialect.cpp - A dialect whose constants the library holds -------===//
// SPDX-License-Identifier: Apache-2.0

#include "ToyDialect.h"
#include "onnxfold/constprop/FoldHook.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace toy;

#include "ToyDialect.cpp.inc"

#define GET_OP_CLASSES
#include "ToyOps.cpp.inc"

void ToyDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ToyOps.cpp.inc"
      >();
  addFolding(this);
}

/// How canonicalisation puts what fold() returned into the IR.
Operation *ToyDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                           Type type, Location location) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, location, elements);
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

/// Operation::fold by the engine's kernel, for small results: so --canonicalize
/// and the greedy drivers of other passes fold these operators as well.
static OpFoldResult foldByKernel(Operation *op, ArrayRef<Attribute> operands) {
  SmallVector<OpFoldResult, 1> results;
  if (failed(onnxfold::foldWithKernel(op, operands, results)))
    return {};
  return results.front();
}

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  return foldByKernel(*this, adaptor.getOperands());
}
OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  return foldByKernel(*this, adaptor.getOperands());
}
OpFoldResult ReluOp::fold(FoldAdaptor adaptor) {
  return foldByKernel(*this, adaptor.getOperands());
}
OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  return foldByKernel(*this, adaptor.getOperands());
}
OpFoldResult MatMulOp::fold(FoldAdaptor adaptor) {
  return foldByKernel(*this, adaptor.getOperands());
}
