//===- ReportText.cpp - The report for people -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/FoldOptions.h"
#include "onnxfold/onnx/driver/report/ReportPage.h"
#include "onnxfold/onnx/driver/report/ReportPrinters.h"
#include "onnxfold/onnx/driver/report/internal/Remedies.h"
#include "onnxfold/onnx/driver/report/internal/RunRecord.h"
#include "onnxfold/onnx/driver/report/internal/SectionTexts.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;

StringRef onnxfold::nameOfAction(const FoldReport::Node &node) {
  if (node.isChanged)
    return "changed";
  switch (node.action) {
  case FoldAction::Kept:
    return "kept";
  case FoldAction::Folded:
    return "folded";
  case FoldAction::Removed:
    return "removed";
  }
  return "kept";
}

static StringRef labelOf(const FoldReport::Node &node) {
  if (!node.name.empty() || node.outputs.empty())
    return node.name;
  return node.outputs.front();
}

static void printText(llvm::raw_ostream &out, const FoldReport &report) {
  for (const std::string &warning : report.warnings)
    out << "warning: " << printableText(warning) << "\n";
  size_t numDependent = 0; // on inputs: most of a model, and no news
  for (const FoldReport::Node &node : report.nodes) {
    bool isDependent =
        node.code == ReasonCode::InputNotConstant && !node.isChanged;
    numDependent += isDependent;
    if (isDependent ||
        (node.op == "Constant" && node.action == FoldAction::Kept))
      continue;
    out << llvm::formatv("{0,-8} {1}-{2} {3}", nameOfAction(node),
                         printableName(node.op), node.since,
                         printableName(labelOf(node)));
    if (node.action == FoldAction::Folded && node.bytes)
      out << " (" << node.bytes << " bytes)";
    if (node.action == FoldAction::Kept && node.code != ReasonCode::None)
      out << ": " << onnxfold::nameOf(node.code) << ", "
          << printableText(node.reason);
    else if (node.action == FoldAction::Removed && !node.reason.empty())
      out << ": " << printableText(node.reason);
    out << "\n";
  }
  if (numDependent)
    out << "not listed: " << numDependent << " kept node"
        << (numDependent == 1 ? " that depends" : "s that depend")
        << " on inputs; --report=json has all\n";
  for (const FoldReport::Step &step : report.steps)
    out << llvm::formatv("{0,-10} {1,8:f4} s\n", step.name, step.seconds);
  out << llvm::formatv("peak memory {0:f1} MB\n", peakBytes() / 1e6);
}

void onnxfold::printSummary(llvm::raw_ostream &out, const FoldReport &report) {
  int64_t totalBefore = 0, totalAfter = 0;
  size_t width = 8;
  for (const auto &[op, counts] : report.operators)
    width = std::max(width, printableName(op).size());
  std::string rule(width + 20, '-');
  auto row = [&](StringRef label, StringRef before, StringRef after) {
    out << llvm::left_justify(label, width) << llvm::right_justify(before, 10)
        << llvm::right_justify(after, 10) << "\n";
  };
  row("operator", "before", "after");
  out << rule << "\n";
  for (const auto &[op, counts] : report.operators) {
    totalBefore += counts.first;
    totalAfter += counts.second;
    if (counts.first != counts.second)
      row(printableName(op), std::to_string(counts.first),
          std::to_string(counts.second));
  }
  row("all", std::to_string(totalBefore), std::to_string(totalAfter));
  row("bytes", std::to_string(report.bytesBefore),
      std::to_string(report.bytesAfter));
  if (report.cut)
    out << counted(report.cut->nodes, "node")
        << " cut off by --inputs and --outputs\n";
  for (const auto &[key, section] : report.sections)
    section->printSummary(out);
  if (report.cache) {
    const FoldReport::CacheCounts &counts = report.cache->counts;
    out << counted(counts.found, "value") << " from the cache ("
        << counts.bytesFound << " bytes), " << counts.computed << " computed, "
        << counts.kept << " of them kept there\n";
    if (counts.damaged)
      out << counted(counts.damaged, "damaged file")
          << " of the cache ignored\n";
  }
  if (report.fusableBatchNorms != 0)
    out << "-O2 would fuse "
        << counted(report.fusableBatchNorms, "BatchNormalization node")
        << " into the Conv, Gemm or MatMul before; floats change within 4 ulp "
           "of the largest term of each sum\n";
  if (report.runOnce && !report.runOnce->file.empty()) {
    constexpr size_t mostNames = 4;
    out << report.runOnce->nodes << " nodes run once, in "
        << printableText(report.runOnce->file) << ": "
        << llvm::join(llvm::map_range(llvm::ArrayRef(report.runOnce->results)
                                          .take_front(mostNames),
                                      printableName),
                      ", ");
    if (report.runOnce->results.size() > mostNames)
      out << ", ... (" << report.runOnce->results.size() << ")";
    out << "\n";
  }
}

static void printDifference(llvm::raw_ostream &out, const FoldReport &report) {
  for (const std::string &text : report.difference->models)
    out << text << "\n";
  auto print = [&](StringRef mark, const FoldReport::Node &node) {
    StringRef label = node.name.empty() && !node.outputs.empty()
                          ? node.outputs.front()
                          : node.name;
    out << mark << " " << printableName(node.op) << "-" << node.since << " "
        << printableName(label);
    if (!node.reason.empty())
      out << ": " << node.reason;
    out << "\n";
  };
  for (const FoldReport::Node &node : report.nodes)
    if (node.action == FoldAction::Removed)
      print("-", node);
    else if (node.isChanged)
      print("!", node);
  for (const FoldReport::Node &node : report.newNodes)
    print("+", node);
  for (const FoldReport::Constant &constant : report.constants) {
    if (constant.state == FoldReport::Constant::State::Kept)
      continue;
    out << (constant.state == FoldReport::Constant::State::Removed ? "-"
            : constant.state == FoldReport::Constant::State::Added ? "+"
                                                                   : "!")
        << " constant " << printableName(constant.name);
    if (!constant.difference.empty())
      out << ": " << constant.difference;
    else
      out << " (" << constant.bytes << " bytes)";
    out << "\n";
  }
  out << report.difference->same << " nodes are the same";
  if (report.difference->renamed)
    out << " (" << report.difference->renamed << " under another name)";
  out << ", " << report.difference->changed << " changed, "
      << report.difference->onlyBefore << " only in a, "
      << report.difference->onlyAfter << " only in b; "
      << report.difference->constantsSame << " constants are the same\n";
}

void onnxfold::printHighlights(llvm::raw_ostream &out, const FoldReport &report,
                               StringRef file) {
  constexpr size_t most = 3;
  std::vector<std::pair<int64_t, StringRef>> gains;
  for (const auto &[op, counts] : report.operators)
    if (counts.first > counts.second)
      gains.emplace_back(counts.first - counts.second, op);
  llvm::stable_sort(gains, [](auto a, auto b) { return a.first > b.first; });
  if (!gains.empty()) {
    out << "largest gains: ";
    llvm::interleaveComma(
        llvm::ArrayRef(gains).take_front(most), out, [&](auto gain) {
          out << gain.first << " " << printableName(gain.second);
        });
    out << " fewer\n";
  }
  std::vector<KeptGroup> groups = keptGroups(report);
  for (const KeptGroup &group : llvm::ArrayRef(groups).take_front(most)) {
    out << "kept: " << group.nodes << " " << nameOf(group.code) << ": "
        << printableText(group.remedy);
    if (!group.option.empty())
      out << ": " << printableText(group.option);
    out << "\n";
  }
  out << (file.empty() ? "--report=html:FILE" : printableText(file))
      << " shows more\n";
}

void onnxfold::printReport(llvm::raw_ostream &out, const FoldReport &report,
                           ReportFormat format) {
  switch (format) {
  case ReportFormat::None:
    return;
  case ReportFormat::Text:
    return report.difference ? printDifference(out, report)
                             : printText(out, report);
  case ReportFormat::Json:
    printJson(out, report, /*indent=*/1);
    out << "\n";
    return;
  case ReportFormat::Html:
    return printPage(out, [&](llvm::raw_ostream &json) {
      printJson(json, report, /*indent=*/0);
    });
  case ReportFormat::ModelExplorer:
    return printModelExplorer(out, report);
  }
}
