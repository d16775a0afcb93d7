//===- TestOperators.h - Operators for the tests of onnx/ir -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef ONNXFOLD_TESTS_ONNX_IR_TESTOPERATORS_H
#define ONNXFOLD_TESTS_ONNX_IR_TESTOPERATORS_H

#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"
#include <string>

namespace onnxfold {

/// A context with the dialect and all operators, and a module to build in.
class OperatorTest : public testing::Test {
protected:
  OperatorTest() : context(mlir::MLIRContext::Threading::DISABLED) {
    registerAllOperators(context);
    module = mlir::ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
  }

  mlir::Type type(llvm::StringRef text) {
    return mlir::parseType(text, &context);
  }

  mlir::Attribute attribute(llvm::StringRef text) {
    return mlir::parseAttribute(text, &context);
  }

  mlir::NamedAttribute named(llvm::StringRef name, llvm::StringRef text) {
    return builder.getNamedAttr(name, attribute(text));
  }

  /// A value of the type that nobody knows; "none" is an absent input.
  mlir::Value value(llvm::StringRef typeText) {
    if (typeText == "none")
      return OnnxAbsentOp::create(builder, builder.getUnknownLoc());
    return Operator::createCustom(builder, builder.getUnknownLoc(),
                                  {"test", "Value", 0}, {}, type(typeText))
        ->getResult(0);
  }

  /// An operator with inputs of these types and `numOutputs` unknown outputs.
  Operator make(llvm::StringRef opType, int64_t since,
                llvm::ArrayRef<llvm::StringRef> inputTypes,
                llvm::ArrayRef<mlir::NamedAttribute> attributes = {},
                unsigned numOutputs = 1, llvm::StringRef domain = "") {
    llvm::SmallVector<mlir::Value> inputs;
    for (llvm::StringRef text : inputTypes)
      inputs.push_back(value(text));
    llvm::SmallVector<mlir::Type> results(numOutputs, type("!onnx.unknown"));
    return Operator::create(builder, builder.getUnknownLoc(),
                            {domain, opType, since}, inputs, results,
                            attributes);
  }

  /// The text of an operation without the names of its operands.
  static std::string text(mlir::Operation *operation) {
    std::string result;
    llvm::raw_string_ostream stream(result);
    operation->print(stream, mlir::OpPrintingFlags().useLocalScope());
    return result;
  }

  mlir::MLIRContext context;
  mlir::OpBuilder builder{&context};
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_ONNX_IR_TESTOPERATORS_H
