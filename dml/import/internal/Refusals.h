//===- Refusals.h - What of a script ONNX cannot express --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Collects the reasons why statements are not translated, each once and with its
// place: "file:line:column: reason". A refused value is unknown, and what is
// computed from it is unknown without a further reason.
//
//   Refusals refusals;
//   refusals.setFile("script.dml");
//   DmlValue y = refusals.refuse(place, "a step of 0");   // unknown
//
//   size_t start = refusals.count();                       // an attempt
//   ...
//   if (refusals.count() > start)
//     std::vector<std::string> why = refusals.takeFrom(start);
//
// Thread safety: none. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_REFUSALS_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_REFUSALS_H

#include "onnxfold/dml/import/internal/DmlValue.h"
#include "onnxfold/dml/syntax/Syntax.h"
#include "llvm/ADT/ArrayRef.h"

namespace onnxfold::dml {

class Refusals {
public:
  /// The file of the statements that are translated.
  void setFile(llvm::StringRef name) { file = name.str(); }
  std::string placeText(Place place) const;

  /// Adds a reason. Returns an unknown value.
  DmlValue refuse(Place place, const llvm::Twine &reason);
  /// Adds a reason that has its place, or has none.
  void add(std::string text) { addMissing({std::move(text)}); }
  /// Refuses to use the value of a $name that has none.
  bool isMissing(Place place, const DmlValue &value);
  /// Refuses a value in the order of a hash table.
  bool isUnordered(Place place, const DmlValue &value);

  const std::vector<std::string> &all() const { return texts; }
  bool empty() const { return texts.empty(); }
  size_t count() const { return texts.size(); }
  /// Removes and returns the reasons that were added after the first `start`.
  std::vector<std::string> takeFrom(size_t start);
  /// Adds those of an attempt that are not there.
  void addMissing(std::vector<std::string> others);

private:
  std::string file;
  std::vector<std::string> texts;
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_REFUSALS_H
