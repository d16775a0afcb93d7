//===- ReportTexts.h - Names of IR that a report keeps ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Copies names, which live as long as the context, into the arena of a report.
// The characters of one value's name are at one place, so each is copied once.
//
// Thread safety: that of the report. REQUIRES: the names live as long as this.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_REPORTTEXTS_H
#define ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_REPORTTEXTS_H

#include "onnxfold/onnx/driver/report/FoldReport.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Twine.h"

namespace onnxfold {

class ReportTexts {
public:
  explicit ReportTexts(FoldReport &report) : report(report) {}

  llvm::StringRef keep(llvm::StringRef text);
  llvm::ArrayRef<llvm::StringRef>
  keepAll(llvm::ArrayRef<llvm::StringRef> names);
  /// "" for a value without a name, as an input that is left out.
  llvm::ArrayRef<llvm::StringRef> namesOf(mlir::ValueRange values);
  /// A text that many nodes have, or that does not live long.
  llvm::StringRef save(const llvm::Twine &text) {
    return report.texts.save(text);
  }
  llvm::ArrayRef<int64_t> keepShape(llvm::ArrayRef<int64_t> shape) {
    return shape.copy(report.arena);
  }

private:
  FoldReport &report;
  llvm::DenseMap<const char *, llvm::StringRef> kept;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REPORT_INTERNAL_REPORTTEXTS_H
