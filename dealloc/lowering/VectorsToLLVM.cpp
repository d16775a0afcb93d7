//===- VectorsToLLVM.cpp - What calls of libm leave of vectors ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/lowering/Passes.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace onnxfold {
#define GEN_PASS_DEF_VECTORSTOLLVMPASS
#include "onnxfold/dealloc/lowering/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;

namespace {

struct VectorsToLLVMPass
    : onnxfold::impl::VectorsToLLVMPassBase<VectorsToLLVMPass> {
  using Base::Base;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    LLVMConversionTarget target(*context);
    LLVMTypeConverter converter(context);
    RewritePatternSet patterns(context);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
