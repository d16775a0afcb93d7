//===- FoldReportText.cpp - The report for people -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/report/FoldReport.h"
#include "onnxfold/onnx/driver/report/ReportPage.h"
#include "onnxfold/onnx/io/IoError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;

uint64_t onnxfold::peakBytes() {
  auto status = llvm::MemoryBuffer::getFileAsStream("/proc/self/status");
  if (!status)
    return 0;
  llvm::StringRef text = (*status)->getBuffer();
  size_t at = text.find("VmHWM:");
  uint64_t kilobytes = 0;
  if (at == llvm::StringRef::npos ||
      text.substr(at + 6).ltrim().consumeInteger(10, kilobytes))
    return 0;
  return kilobytes * 1024;
}

StringRef onnxfold::nameOfAction(const FoldReport::Node &node) {
  if (node.isChanged)
    return "changed";
  switch (node.action) {
  case FoldPlan::Action::Kept:
    return "kept";
  case FoldPlan::Action::Folded:
    return "folded";
  case FoldPlan::Action::Removed:
    return "removed";
  }
  return "kept";
}

static StringRef labelOf(const FoldReport::Node &node) {
  if (!node.name.empty() || node.outputs.empty())
    return node.name;
  return node.outputs.front();
}

/// "1 node", "2 nodes".
static std::string counted(size_t number, StringRef what) {
  return llvm::formatv("{0} {1}{2}", number, what, number == 1 ? "" : "s");
}

void FoldReport::printText(llvm::raw_ostream &out) const {
  for (const std::string &warning : warnings)
    out << "warning: " << printableText(warning) << "\n";
  size_t numDependent = 0; // on inputs: most of a model, and no news
  for (const Node &node : allNodes) {
    bool isDependent =
        node.code == ReasonCode::InputNotConstant && !node.isChanged;
    numDependent += isDependent;
    if (isDependent ||
        (node.op == "Constant" && node.action == FoldPlan::Action::Kept))
      continue;
    out << llvm::formatv("{0,-8} {1}-{2} {3}", nameOfAction(node),
                         printableName(node.op), node.since,
                         printableName(labelOf(node)));
    if (node.action == FoldPlan::Action::Folded && node.bytes)
      out << " (" << node.bytes << " bytes)";
    if (node.action == FoldPlan::Action::Kept && node.code != ReasonCode::None)
      out << ": " << onnxfold::nameOf(node.code) << ", "
          << printableText(node.reason);
    else if (node.action == FoldPlan::Action::Removed && !node.reason.empty())
      out << ": " << printableText(node.reason);
    out << "\n";
  }
  if (numDependent)
    out << "not listed: " << numDependent << " kept node"
        << (numDependent == 1 ? " that depends" : "s that depend")
        << " on inputs; --report=json has all\n";
  for (const Step &step : steps)
    out << llvm::formatv("{0,-10} {1,8:f4} s\n", step.name, step.seconds);
  out << llvm::formatv("peak memory {0:f1} MB\n", peakBytes() / 1e6);
}

void FoldReport::printSummary(llvm::raw_ostream &out) const {
  int64_t totalBefore = 0, totalAfter = 0;
  size_t width = 8;
  for (const auto &[op, counts] : ops)
    width = std::max(width, printableName(op).size());
  std::string rule(width + 20, '-');
  auto row = [&](StringRef label, StringRef before, StringRef after) {
    out << llvm::left_justify(label, width) << llvm::right_justify(before, 10)
        << llvm::right_justify(after, 10) << "\n";
  };
  row("operator", "before", "after");
  out << rule << "\n";
  for (const auto &[op, counts] : ops) {
    totalBefore += counts.first;
    totalAfter += counts.second;
    if (counts.first != counts.second)
      row(printableName(op), std::to_string(counts.first),
          std::to_string(counts.second));
  }
  row("all", std::to_string(totalBefore), std::to_string(totalAfter));
  row("bytes", std::to_string(bytesBefore), std::to_string(bytesAfter));
  if (cut)
    out << counted(cut->nodes, "node")
        << " cut off by --inputs and --outputs\n";
  if (keptInitializers)
    out << counted(keptInitializers->nodes, "node") << " kept for "
        << counted(keptInitializers->names.size(), "initializer")
        << " of --keep-initializer\n";
  if (cache) {
    const CacheCounts &counts = cache->counts;
    out << counted(counts.found, "value") << " from the cache ("
        << counts.bytesFound << " bytes), " << counts.computed << " computed, "
        << counts.kept << " of them kept there\n";
    if (counts.damaged)
      out << counted(counts.damaged, "damaged file")
          << " of the cache ignored\n";
  }
  if (runOnce && !runOnce->file.empty()) {
    constexpr size_t mostNames = 4;
    out << runOnce->nodes << " nodes run once, in "
        << printableText(runOnce->file) << ": "
        << llvm::join(
               llvm::map_range(
                   llvm::ArrayRef(runOnce->results).take_front(mostNames),
                   printableName),
               ", ");
    if (runOnce->results.size() > mostNames)
      out << ", ... (" << runOnce->results.size() << ")";
    out << "\n";
  }
}

void FoldReport::print(llvm::raw_ostream &out, ReportFormat format) const {
  switch (format) {
  case ReportFormat::None:
    return;
  case ReportFormat::Text:
    return difference ? printDifference(out) : printText(out);
  case ReportFormat::Json:
    printJson(out, /*indent=*/1);
    out << "\n";
    return;
  case ReportFormat::Html:
    return printPage(
        out, [&](llvm::raw_ostream &json) { printJson(json, /*indent=*/0); });
  case ReportFormat::ModelExplorer:
    return printModelExplorer(out, *this);
  }
}
