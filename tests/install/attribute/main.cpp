//===- main.cpp - A program that uses the attribute alone -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Prints the type of an attribute that holds 0 to 1023, and its last element.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace onnxfold;

int main() {
  mlir::MLIRContext context;
  context.loadDialect<ElementsDialect>();
  Elements values =
      Elements::build<float>({1024}, [](llvm::MutableArrayRef<float> out) {
        std::iota(out.begin(), out.end(), 0.0f);
      });
  mlir::ElementsAttr attribute =
      toAttribute(values, toTensorType(values, &context));
  llvm::outs() << attribute.getType() << " "
               << int(attribute.getValues<float>()[1023]) << "\n";
}
