//===- ReportPage.h - A report as a page to look at -------------*- C++ -*-===//
//
// Other forms of the JSON report (docs/report.md): a page of HTML, and node
// data for Google's Model Explorer.
//
// The page is one file without links: style, scripts and libraries (dagre,
// d3-hierarchy) are in it, and the JSON as it is. Its content-security policy
// lets nothing run but those scripts, by their hash, and nothing be loaded.
// The frame around the JSON is made at build time from the files in page/ by
// tools/make_page.py.
//
// Thread safety: any thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REPORTPAGE_H
#define ONNXFOLD_ONNX_DRIVER_REPORTPAGE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace onnxfold {

class FoldReport;
enum class ReportFormat;

/// A page that shows what `printJson` prints: a report or a difference.
void printPage(llvm::raw_ostream &out,
               llvm::function_ref<void(llvm::raw_ostream &)> printJson);

/// Node data for Model Explorer: for each graph, by the name of a node, what
/// became of it and the colour of that.
void printModelExplorer(llvm::raw_ostream &out, const FoldReport &report);

/// Writes a report or a difference that was saved as JSON (`input`, "-" is
/// standard input) to `file` in another format: Html or ModelExplorer.
llvm::Error showReport(llvm::StringRef input, ReportFormat format,
                       llvm::StringRef file);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REPORTPAGE_H
