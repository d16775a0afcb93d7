//===- OperatorSchemas.h - Operators that ONNX does not have ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What is known of operators outside the standard: the types and shapes of
// their results, and whether they have effects. The schemas are data
// (docs/schemas.md). Those of ONNX Runtime's contributed operators are built
// into the program from schemas/microsoft.json; users add files of their own.
//
//   OperatorSchemas schemas;                         // the built-in ones
//   if (llvm::Error error = schemas.add(text, "my.json")) ...
//   if (const OperatorSchema *schema = schemas.find("com.acme", "Swish")) ...
//
// Thread safety: a table that no longer changes may be read by any number of
// threads.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_OPERATORSCHEMAS_H
#define ONNXFOLD_ONNX_FOLDING_OPERATORSCHEMAS_H

#include "onnxfold/onnx/ir/Operator.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace onnxfold {

struct OperatorSchema;

class OperatorSchemas {
public:
  OperatorSchemas();
  OperatorSchemas(OperatorSchemas &&) noexcept;
  ~OperatorSchemas();

  /// Adds the schemas of a file, which take precedence over those that were
  /// added before. An error names file, line and operator; nothing is added
  /// then.
  llvm::Error add(llvm::StringRef text, llvm::StringRef file);

  /// Null if the operator is not known.
  const OperatorSchema *find(llvm::StringRef domain,
                             llvm::StringRef opType) const;

  /// The built-in schemas alone. They are read at the first call.
  static const OperatorSchemas &builtIn();

private:
  llvm::StringMap<std::unique_ptr<OperatorSchema>> schemas; // "domain:type"
};

/// Whether an operator must be kept when it has no users.
bool hasEffects(const OperatorSchema &schema);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_OPERATORSCHEMAS_H
