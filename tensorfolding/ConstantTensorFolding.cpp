//===- ConstantTensorFolding.cpp - Work on constants runs once ------------===//

#include "onnxfold/tensorfolding/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace onnxfold {

#define GEN_PASS_DEF_CONSTANTTENSORFOLDINGPASS
#include "onnxfold/tensorfolding/Passes.h.inc"

namespace {

class ConstantTensorFoldingPass
    : public impl::ConstantTensorFoldingPassBase<ConstantTensorFoldingPass> {
public:
  using ConstantTensorFoldingPassBase::ConstantTensorFoldingPassBase;
  void runOnOperation() override {}
};

} // namespace
} // namespace onnxfold
