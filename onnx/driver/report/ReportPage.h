//===- ReportPage.h - A report as a page to look at -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Other forms of the JSON report (docs/report.md): a page of HTML, and node
// data for Google's Model Explorer.
//
// The page is one file without links: it contains the style, the scripts, the
// libraries (dagre, d3-hierarchy) and the unchanged JSON. Its content-security
// policy allows only those scripts to run, by their hash, and nothing to be
// loaded. The frame around the JSON is made at build time from the files in
// page/ by tools/make_page.py.
//
// Thread safety: any thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REPORT_REPORTPAGE_H
#define ONNXFOLD_ONNX_DRIVER_REPORT_REPORTPAGE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace onnxfold {

struct FoldReport;
enum class ReportFormat;

/// Prints a page that shows the JSON of `printJson`: a report or a difference.
void printPage(llvm::raw_ostream &out,
               llvm::function_ref<void(llvm::raw_ostream &)> printJson);

/// Prints node data for Model Explorer: for each graph, the outcome of each
/// node by its name, and the colour of the outcome.
void printModelExplorer(llvm::raw_ostream &out, const FoldReport &report);

/// Writes a report or a difference that was saved as JSON (`input`, "-" is
/// standard input) to `file` in another format: Html or ModelExplorer.
llvm::Error showReport(llvm::StringRef input, ReportFormat format,
                       llvm::StringRef file);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REPORT_REPORTPAGE_H
