//===- RewriteTest.h - Graphs for tests of rewrites -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_TESTS_ONNX_TRANSFORMS_REWRITETEST_H
#define ONNXFOLD_TESTS_ONNX_TRANSFORMS_REWRITETEST_H

#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace onnxfold {

struct RewriteTest : testing::Test {
  RewriteTest() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<mlir::func::FuncDialect, OnnxDialect>();
    registerAllOperators(context);
    addOnnxFolding(context);
  }

  /// A graph with the input %x, which gives %y; both of two floats.
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef operators) {
    std::string text = ("func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n" +
                        operators + "return %y : tensor<2xf32>\n}")
                           .str();
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }

  /// A node of one input: `%result = onnx.type(%input)`.
  static std::string unary(llvm::StringRef result, llvm::StringRef type,
                           llvm::StringRef input) {
    return ("%" + result + " = onnx." + type + "(%" + input +
            ") <{outputs = [\"" + result +
            "\"], node = 0}> : (tensor<2xf32>) -> tensor<2xf32>\n")
        .str();
  }

  /// The node that gives a name.
  static mlir::Operation *find(mlir::ModuleOp module, llvm::StringRef name) {
    mlir::Operation *found = nullptr;
    module.walk([&](mlir::Operation *op) {
      for (mlir::Value result : op->getResults())
        if (valueName(result) == name)
          found = op;
    });
    return found;
  }

  mlir::MLIRContext context;
};

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_ONNX_TRANSFORMS_REWRITETEST_H
