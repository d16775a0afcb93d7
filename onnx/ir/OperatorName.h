//===- OperatorName.h - Names of operators, checked by the compiler -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The name of an operator of ai.onnx. A literal is looked up in the table of
// ONNX's schemas while it is compiled, so one that is misspelled is an error of
// the compiler; a name that is known only at run time is converted explicitly.
//
//   if (op.is("Conv")) ...                      // "Cnov" does not compile
//   nodes.create(OperatorName(op.opType()), inputs);
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IR_OPERATORNAME_H
#define ONNXFOLD_ONNX_IR_OPERATORNAME_H

#include "llvm/ADT/StringRef.h"
#include <string_view>

namespace onnxfold {

class OperatorName {
public:
  // NOLINTNEXTLINE(google-explicit-constructor): literals are the common case
  consteval OperatorName(const char *literal) : name(literal) {
    if (!isOperator(literal))
      throw "no operator of ai.onnx has this name"; // so it is no constant
  }
  explicit OperatorName(llvm::StringRef name) : name(name) {}

  // NOLINTNEXTLINE(google-explicit-constructor): it is a text like others
  operator llvm::StringRef() const { return name; }

private:
  static constexpr bool isOperator(std::string_view name) {
#define ONNXFOLD_SCHEMA(domain, type, version, schema)                         \
  if (*(domain) == 0 && name == (type))                                        \
    return true;
#include "onnxfold/onnx/ir/SchemaTable.inc"
#undef ONNXFOLD_SCHEMA
    return false;
  }

  llvm::StringRef name;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_OPERATORNAME_H
