//===- ReportText.cpp - The report for people -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/FoldOptions.h"
#include "onnxfold/onnx/driver/report/ReportPage.h"
#include "onnxfold/onnx/driver/report/ReportPrinters.h"
#include "onnxfold/onnx/driver/report/internal/PeakMemory.h"
#include "onnxfold/onnx/driver/report/internal/Remedies.h"
#include "onnxfold/onnx/io/IoError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
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

/// "1 node", "2 nodes".
static std::string counted(size_t number, StringRef what) {
  return llvm::formatv("{0} {1}{2}", number, what, number == 1 ? "" : "s");
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

static void printConversion(llvm::raw_ostream &out,
                            const FoldReport::Conversion &done) {
  using Tensor = FoldReport::Conversion::Tensor;
  int64_t tensors = 0, zeros = 0, clipped = 0;
  const Tensor *worst = nullptr;
  for (const Tensor &one : done.tensors) {
    if (!one.kept.empty())
      continue;
    ++tensors;
    zeros += one.underflows;
    clipped += one.overflows;
    if (!worst || one.largestError > worst->largestError)
      worst = &one;
  }
  out << "types: " << counted(tensors, "constant") << " and "
      << counted(done.nodes, "node") << " converted, "
      << counted(done.casts, "Cast") << " added, " << done.droppedCasts
      << " dropped";
  if (worst && worst->largestError != 0)
    out << llvm::format("; the largest error of a constant is %.3g, in ",
                        worst->largestError)
        << printableName(worst->name);
  if (zeros != 0)
    out << "; " << counted(zeros, "number") << " became 0";
  if (clipped != 0)
    out << "; " << counted(clipped, "number") << " clipped";
  out << "\n";
  std::map<std::string, std::pair<int64_t, std::string>> reasons;
  for (const FoldReport::Conversion::Node &node : done.kept) {
    auto &[count, example] = reasons[node.reason];
    if (count++ == 0)
      example = node.node;
  }
  for (const auto &[reason, kept] : reasons)
    out << "types of " << counted(kept.first, "node")
        << " kept: " << printableText(reason) << " ("
        << printableText(kept.second) << ")\n";
}

static void printCompacted(llvm::raw_ostream &out, const FoldReport &report) {
  if (report.compacted.empty())
    return;
  constexpr size_t most = 10;
  int64_t saved = 0;
  for (const FoldReport::CompactConstant &one : report.compacted)
    saved += one.bytesBefore - one.bytesAfter;
  out << counted(report.compacted.size(), "constant") << " made compact, "
      << saved << " bytes less\n";
  for (const auto &one : llvm::ArrayRef(report.compacted).take_front(most))
    out << "  " << printableName(one.name) << ": " << one.opType << ", "
        << one.bytesBefore << " -> " << one.bytesAfter << " bytes\n";
  if (report.compacted.size() > most)
    out << "  ... (" << report.compacted.size() << ")\n";
}

static StringRef verbOf(StringRef what) {
  if (what.contains(" as a"))
    return "written";
  return what == "moved node" ? "sorted" : "left out";
}

static void printCleaning(llvm::raw_ostream &out,
                          const FoldReport::Cleaning &cleaning) {
  for (const auto &[what, done] : cleaning.done) {
    out << verbOf(what) << ": " << done.count << " x " << what;
    if (done.bytes != 0)
      out << " (" << done.bytes << " bytes)";
    out << "\n";
  }
  if (!cleaning.left.empty())
    out << counted(cleaning.left.size(), "constant") << " left as "
        << (cleaning.left.size() == 1 ? "it is" : "they are") << ": '"
        << printableName(cleaning.left.front().name)
        << "': " << printableText(cleaning.left.front().reason) << "\n";
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
  if (report.cleaning)
    printCleaning(out, *report.cleaning);
  if (report.keptInitializers)
    out << counted(report.keptInitializers->nodes, "node") << " kept for "
        << counted(report.keptInitializers->names.size(), "initializer")
        << " of --keep-initializer\n";
  if (report.conversion)
    printConversion(out, *report.conversion);
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
  if (report.openedBatch)
    out << "dimension '" << printableName(report.openedBatch->dimension)
        << "' instead of " << report.openedBatch->size << " in "
        << counted(report.openedBatch->inputs.size(), "input") << " and "
        << counted(report.openedBatch->outputs.size(), "output") << ", "
        << counted(report.openedBatch->nodes.size(), "node")
        << " made relative\n";
  printCompacted(out, report);
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
