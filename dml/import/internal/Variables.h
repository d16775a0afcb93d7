//===- Variables.h - The variables of a script or function ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What is known of each variable where a statement is translated. A path that
// may be taken or not is tried, and undone:
//
//   Variables::Saved before = variables.save(names);
//   ...                                               // statements of the path
//   variables.restore(before);
//
// Thread safety: none. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_VARIABLES_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_VARIABLES_H

#include "onnxfold/dml/import/internal/DmlValue.h"
#include "onnxfold/dml/import/internal/VariableUses.h"
#include "llvm/ADT/StringMap.h"

namespace onnxfold::dml {

class Variables {
public:
  /// The value; an unknown one for a variable that was not there.
  DmlValue &operator[](llvm::StringRef name) { return values[name]; }
  DmlValue lookup(llvm::StringRef name) const { return values.lookup(name); }
  /// Null if there is no such variable.
  const DmlValue *find(llvm::StringRef name) const;
  /// The value, or unassigned(why) for a variable that was not there, which is
  /// then.
  const DmlValue &declare(llvm::StringRef name, const llvm::Twine &why);
  /// Makes the variables unknown that statements may assign.
  void forget(const Body &body);

  using Saved = std::vector<std::pair<std::string, std::optional<DmlValue>>>;
  Saved save(const Names &names) const;
  void restore(const Saved &saved);

private:
  llvm::StringMap<DmlValue> values;
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_VARIABLES_H
