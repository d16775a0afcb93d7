//===- OperatorSchemas.h - Operators that ONNX does not have ----*- C++ -*-===//
//
// What is known of operators outside the standard: the types and shapes of
// their results, and whether they have effects. It is data (docs/schemas.md):
// that of ONNX Runtime's contributed operators is in the program, from
// schemas/microsoft.json; users add files of their own.
//
//   OperatorSchemas schemas;                         // the built-in ones
//   if (llvm::Error error = schemas.add(text, "my.json")) ...
//   if (const OperatorSchema *schema = schemas.find("com.acme", "Swish")) ...
//
// Thread safety: of a table that no longer changes.
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

  /// Adds the schemas of a file, which take precedence over those that are
  /// there. The error names file, line and operator; nothing is added then.
  llvm::Error add(llvm::StringRef text, llvm::StringRef file);

  /// Null if the operator is not known.
  const OperatorSchema *find(llvm::StringRef domain,
                             llvm::StringRef opType) const;

  /// Those that are in the program alone. Read when first asked for.
  static const OperatorSchemas &builtIn();

private:
  llvm::StringMap<std::unique_ptr<OperatorSchema>> schemas; // "domain:type"
};

/// Whether an operator must be kept when it has no users any more.
bool hasEffects(const OperatorSchema &schema);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_OPERATORSCHEMAS_H
