//===- FoldReportText.cpp - The report for people and for programs --------===//

#include "onnxfold/onnx/driver/FoldReport.h"
#include "onnxfold/onnx/io/IoError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

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

static StringRef nameOfAction(const FoldReport::Node &node) {
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

void FoldReport::printText(llvm::raw_ostream &out) const {
  for (const std::string &warning : warnings)
    out << "warning: " << warning << "\n";
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
      out << ": " << onnxfold::nameOf(node.code) << ", " << node.reason;
    else if (node.action == FoldPlan::Action::Removed && !node.reason.empty())
      out << ": " << node.reason;
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
    width = std::max(width, op.size());
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
  if (runOnce && !runOnce->file.empty()) {
    constexpr size_t mostNames = 4;
    out << runOnce->nodes << " nodes run once, in " << runOnce->file << ": "
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

/// Names in a model may hold any bytes; JSON holds UTF-8.
static std::string jsonText(StringRef name) {
  return llvm::json::fixUTF8(name);
}

static void printVerification(llvm::json::OStream &json,
                              const VerifyResult &result) {
  json.attribute("trials", result.trials);
  json.attribute("equal", result.isEqual());
  json.attributeArray("compared", [&] {
    for (const ComparedValue &value : result.compared)
      json.object([&] {
        json.attribute("name", jsonText(value.name));
        json.attribute("trials", value.trials);
        json.attribute("equal", value.isEqual);
        if (value.difference.empty())
          return;
        json.attribute("trial", value.trial);
        json.attribute("difference", jsonText(value.difference));
        if (std::isfinite(value.ulps))
          json.attribute("ulps", value.ulps);
      });
  });
  json.attributeArray("not_run", [&] {
    for (const NotRun &entry : result.notRun)
      json.object([&] {
        json.attribute("name", jsonText(entry.name));
        json.attribute("code", onnxfold::nameOf(entry.reason.code));
        json.attribute("text", jsonText(entry.reason.text));
      });
  });
}

static void printNames(llvm::json::OStream &json, StringRef attribute,
                       const auto &names) {
  json.attributeArray(attribute, [&] {
    for (StringRef name : names)
      json.value(jsonText(name));
  });
}

void FoldReport::printNode(llvm::json::OStream &json, const Node &node) const {
  json.object([&] {
    json.attribute("graph", jsonText(node.graph));
    json.attribute("name", jsonText(node.name));
    json.attribute("op", jsonText(node.op));
    json.attribute("domain", jsonText(node.domain));
    json.attribute("since", node.since);
    printNames(json, "outputs", node.outputs);
    json.attribute("action", nameOfAction(node));
    json.attributeObject("reason", [&] {
      json.attribute("code", onnxfold::nameOf(node.code));
      json.attribute("text", jsonText(node.reason));
    });
    json.attribute("bytes", node.bytes);
    if (!node.sources.empty())
      printNames(json, "sources", node.sources);
  });
}

void FoldReport::print(llvm::raw_ostream &out, ReportFormat format) const {
  if (format == ReportFormat::Json) {
    printJson(out, /*indent=*/1);
    out << "\n";
  }
  if (format == ReportFormat::Text)
    printText(out);
}

void FoldReport::printJson(llvm::raw_ostream &out, unsigned indent) const {
  llvm::json::OStream json(out, indent);
  json.objectBegin();
  json.attribute("version", 1);
  json.attribute("input", jsonText(input));
  json.attribute("output", jsonText(output));
  json.attribute("changed", isChanged);
  json.attribute("bytes_before", int64_t(bytesBefore));
  json.attribute("bytes_after", int64_t(bytesAfter));
  json.attribute("peak_bytes", int64_t(peakBytes()));
  json.attribute("seconds", lastStep - begin);
  json.attributeArray("steps", [&] {
    for (const Step &step : steps)
      json.object([&] {
        json.attribute("name", step.name);
        json.attribute("seconds", step.seconds);
      });
  });
  json.attributeArray("warnings", [&] {
    for (const std::string &warning : warnings)
      json.value(jsonText(warning));
  });
  json.attributeArray("nodes", [&] {
    for (const Node &node : allNodes)
      printNode(json, node);
  });
  json.attributeObject("ops", [&] {
    for (const auto &[op, counts] : ops)
      json.attributeArray(jsonText(op), [&] {
        json.value(counts.first);
        json.value(counts.second);
      });
  });
  if (runOnce)
    json.attributeObject("run_once", [&] {
      json.attribute("output", jsonText(runOnce->file));
      json.attribute("nodes", int64_t(runOnce->nodes));
      printNames(json, "inputs", runOnce->inputs);
      printNames(json, "results", runOnce->results);
    });
  if (verification)
    json.attributeObject("verify",
                         [&] { printVerification(json, *verification); });
  json.objectEnd();
}
