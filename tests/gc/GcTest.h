//===- GcTest.h - What the tests of gc share --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_TESTS_GC_GCTEST_H
#define ONNXFOLD_TESTS_GC_GCTEST_H

#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/gc/DisposablePool.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

namespace onnxfold {

/// Sanitizers take memory of their own: no measure of ours.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool measuresMemory = false;
#else
inline constexpr bool measuresMemory = true;
#endif

class GcTest : public testing::Test {
protected:
  GcTest() : builder(&context) {
    context.loadDialect<ElementsDialect, mlir::arith::ArithDialect,
                        mlir::func::FuncDialect>();
    context.allowUnregisteredDialects();
    module = mlir::ModuleOp::create(builder.getUnknownLoc());
  }

  /// A new attribute of 200 floats: first, first + 1, ...
  DisposableElementsAttr make(float first = 0, int64_t count = 200) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), first);
    Elements x = Elements::fromValues<float>({count}, values);
    return DisposableElementsAttr::get(toTensorType(x, &context), x);
  }

  /// An operation "test.op" at the end of a module.
  mlir::Operation *addOp(mlir::ModuleOp to, llvm::StringRef name = "x",
                         mlir::Attribute attr = {}) {
    builder.setInsertionPointToEnd(to.getBody());
    mlir::OperationState state(builder.getUnknownLoc(), "test.op");
    if (attr)
      state.addAttribute(name, attr);
    return builder.create(state);
  }

  /// A function that returns the constants.
  mlir::func::FuncOp addFunction(mlir::ModuleOp to, llvm::StringRef name,
                                 llvm::ArrayRef<mlir::TypedAttr> values) {
    builder.setInsertionPointToEnd(to.getBody());
    llvm::SmallVector<mlir::Type> types;
    for (mlir::TypedAttr value : values)
      types.push_back(value.getType());
    auto function =
        mlir::func::FuncOp::create(builder, builder.getUnknownLoc(), name,
                                   builder.getFunctionType({}, types));
    builder.setInsertionPointToStart(function.addEntryBlock());
    llvm::SmallVector<mlir::Value> results;
    for (mlir::TypedAttr value : values)
      results.push_back(mlir::arith::ConstantOp::create(
          builder, builder.getUnknownLoc(), value));
    mlir::func::ReturnOp::create(builder, builder.getUnknownLoc(), results);
    return function;
  }

  DisposablePool &pool() { return DisposablePool::get(&context); }

  static std::string str(mlir::Attribute attr) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << attr;
    return text;
  }

  mlir::MLIRContext context;
  mlir::OpBuilder builder;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_GC_GCTEST_H
