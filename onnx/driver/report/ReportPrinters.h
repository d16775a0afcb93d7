//===- ReportPrinters.h - A report as text, JSON or a page ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Prints a report (FoldReport.h): as text for people, as JSON for programs
// (version 1 of the contract in docs/report.md), and, made of that JSON, as a
// page (ReportPage.h).
//
// Thread safety: any thread; nobody may change the report meanwhile.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REPORT_REPORTPRINTERS_H
#define ONNXFOLD_ONNX_DRIVER_REPORT_REPORTPRINTERS_H

#include "onnxfold/onnx/driver/report/FoldReport.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace onnxfold {

enum class ReportFormat;

/// Prints the report in any format. Prints nothing for None.
void printReport(llvm::raw_ostream &out, const FoldReport &report,
                 ReportFormat format);

/// Prints JSON with `indent` spaces for each level; with 0 it is one line
/// without a line end.
void printJson(llvm::raw_ostream &out, const FoldReport &report,
               unsigned indent);

/// Prints the operators before and after as a table.
void printSummary(llvm::raw_ostream &out, const FoldReport &report);

/// Prints a few lines: the largest gains, the largest groups of kept nodes with
/// their remedies, and where to see more (`file`, if there is one).
void printHighlights(llvm::raw_ostream &out, const FoldReport &report,
                     llvm::StringRef file);

/// "folded", "removed", "changed" or "kept".
llvm::StringRef nameOfAction(const FoldReport::Node &node);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REPORT_REPORTPRINTERS_H
