//===- SectionTexts.h - Parts of sections of a report -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What the printers of reports, and the sections of steps (FoldReport.h), print
// in the same way.
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_SECTIONTEXTS_H
#define ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_SECTIONTEXTS_H

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace onnxfold {

/// Names in a model may hold any bytes; JSON holds UTF-8. Most do, and are not
/// copied: use it while `name` lives.
inline llvm::json::Value jsonText(llvm::StringRef name) {
  if (llvm::json::isUTF8(name))
    return name;
  return llvm::json::fixUTF8(name);
}

inline void printNames(llvm::json::OStream &json, llvm::StringRef attribute,
                       const auto &names) {
  json.attributeArray(attribute, [&] {
    for (llvm::StringRef name : names)
      json.value(jsonText(name));
  });
}

/// "1 node", "2 nodes".
inline std::string counted(size_t number, llvm::StringRef what) {
  return llvm::formatv("{0} {1}{2}", number, what, number == 1 ? "" : "s");
}

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_SECTIONTEXTS_H
