//===- ScalarsToLLVM.cpp - arith, math and index to the LLVM dialect ------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/lowering/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToFuncs/MathToFuncs.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

/// LLVM computes these by functions that not every system has: arithmetic in
/// bf16, functions of libm in f16 and bf16.
static void addNarrowFloats(OpPassManager &pm) {
  math::MathExtendToSupportedTypesOptions extended;
  // LLVM has intrinsics of these, and f32 would lose their digits.
  extended.extraTypeStrs = {"f80", "f128"};
  pm.addPass(math::createMathExtendToSupportedTypes(extended));
  // Before integers become bf16 by way of f32, which rounds them twice.
  pm.addPass(createExpandScalarsPass());
  arith::ArithEmulateUnsupportedFloatsOptions emulated;
  emulated.sourceTypeStrs = {"bf16"};
  emulated.targetTypeStr = "f32";
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulated));
  arith::ArithExpandOpsPassOptions expanded;
  expanded.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expanded));
}

void onnxfold::addScalarsToLLVM(OpPassManager &pm) {
  pm.addPass(createExpandFloatClassesPass());
  addNarrowFloats(pm);
  // Powers by integers become loops, most others intrinsics of LLVM. The pass
  // for libm refuses all that is still there and that libm does not have.
  pm.addPass(createConvertMathToFuncs());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createVectorsToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  // Folders of arith and affine write ub.poison for what is undefined.
  pm.addPass(createUBToLLVMConversionPass());
}
