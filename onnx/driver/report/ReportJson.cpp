//===- ReportJson.cpp - The report for programs ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/report.md is its contract.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/driver/report/ReportPrinters.h"
#include "onnxfold/onnx/driver/report/internal/Remedies.h"
#include "onnxfold/onnx/driver/report/internal/RunRecord.h"
#include "onnxfold/onnx/driver/report/internal/SectionTexts.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace onnxfold;
using llvm::StringRef;

static void printVerification(llvm::json::OStream &json,
                              const VerifyResult &result) {
  json.attribute("trials", result.trials);
  if (result.trialsLeftOut != 0)
    json.attribute("trials_left_out", result.trialsLeftOut);
  json.attribute("equal", result.isEqual() && result.isComplete());
  json.attribute("complete", result.isComplete());
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
        if (value.apart && std::isfinite(*value.apart))
          json.attribute("apart", *value.apart);
        if (value.moved && std::isfinite(*value.moved))
          json.attribute("moved", *value.moved);
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

static void printNode(llvm::json::OStream &json, const FoldReport::Node &node,
                      StringRef action) {
  json.object([&] {
    json.attribute("graph", jsonText(node.graph));
    json.attribute("name", jsonText(node.name));
    json.attribute("op", jsonText(node.op));
    json.attribute("domain", jsonText(node.domain));
    json.attribute("since", node.since);
    printNames(json, "inputs", node.inputs);
    printNames(json, "outputs", node.outputs);
    if (node.inputsAfter)
      printNames(json, "inputs_after", *node.inputsAfter);
    if (node.outputsAfter)
      printNames(json, "outputs_after", *node.outputsAfter);
    json.attribute("action", action);
    json.attributeObject("reason", [&] {
      json.attribute("code", onnxfold::nameOf(node.code));
      json.attribute("text", jsonText(node.reason));
    });
    json.attribute("bytes", node.bytes);
    if (node.bytesLeftOut)
      json.attribute("bytes_left_out", node.bytesLeftOut);
    if (!node.sources.empty())
      printNames(json, "sources", node.sources);
  });
}

static StringRef nameOfState(FoldReport::Constant::State state) {
  switch (state) {
  case FoldReport::Constant::State::Kept:
    return "kept";
  case FoldReport::Constant::State::Removed:
    return "removed";
  case FoldReport::Constant::State::Added:
    return "added";
  case FoldReport::Constant::State::Changed:
    return "changed";
  }
  return "kept";
}

static void printConstant(llvm::json::OStream &json,
                          const FoldReport::Constant &constant) {
  json.object([&] {
    json.attribute("graph", jsonText(constant.graph));
    json.attribute("name", jsonText(constant.name));
    json.attribute("type", constant.type);
    json.attributeArray("shape", [&] {
      for (int64_t size : constant.shape)
        json.value(size);
    });
    json.attribute("bytes", constant.bytes);
    json.attribute("action", nameOfState(constant.state));
    if (!constant.difference.empty())
      json.attribute("difference", jsonText(constant.difference));
    if (!constant.nameAfter.empty())
      json.attribute("name_after", jsonText(constant.nameAfter));
  });
}

/// Prints what the nodes stand in and work with.
static void printParts(llvm::json::OStream &json, const FoldReport &report) {
  json.attributeArray("new_nodes", [&] {
    for (const FoldReport::Node &node : report.newNodes)
      printNode(json, node, "added");
  });
  json.attributeArray("constants", [&] {
    for (const FoldReport::Constant &constant : report.constants)
      printConstant(json, constant);
  });
  json.attributeArray("graphs", [&] {
    for (const FoldReport::Graph &graph : report.graphs)
      json.object([&] {
        json.attribute("name", jsonText(graph.name));
        if (!graph.domain.empty())
          json.attribute("domain", jsonText(graph.domain));
        if (!graph.title.empty())
          json.attribute("title", jsonText(graph.title));
        if (graph.node >= 0)
          json.attribute("node", graph.node);
        printNames(json, "inputs", graph.inputs);
        printNames(json, "outputs", graph.outputs);
      });
  });
}

/// Prints what was left and what to do about it; or how two models differ.
static void printGroups(llvm::json::OStream &json, const FoldReport &report) {
  if (report.difference) {
    json.attributeObject("difference", [&] {
      json.attribute("same", report.difference->same);
      json.attribute("renamed", report.difference->renamed);
      json.attribute("changed", report.difference->changed);
      json.attribute("removed", report.difference->onlyBefore);
      json.attribute("added", report.difference->onlyAfter);
      json.attribute("constants_same", report.difference->constantsSame);
      printNames(json, "models", report.difference->models);
    });
    return;
  }
  json.attributeArray("groups", [&] {
    for (const KeptGroup &group : keptGroups(report))
      json.object([&] {
        json.attribute("code", onnxfold::nameOf(group.code));
        json.attribute("nodes", group.nodes);
        json.attribute("bytes_left_out", group.bytes);
        json.attribute("remedy", group.remedy);
        json.attribute("command", jsonText(group.command));
      });
  });
  json.attributeObject("growth", [&] {
    json.attribute("limit", report.growth.limit
                                ? llvm::json::Value(*report.growth.limit)
                                : llvm::json::Value(nullptr));
    json.attribute("added", report.growth.added);
  });
}

/// Prints the parts of the model, what single steps did, and what came from a
/// cache.
static void printParting(llvm::json::OStream &json, const FoldReport &report) {
  if (report.cut)
    json.attributeObject("cut", [&] {
      json.attribute("nodes", int64_t(report.cut->nodes));
      printNames(json, "inputs", report.cut->inputs);
      printNames(json, "outputs", report.cut->outputs);
    });
  for (const auto &[key, section] : report.sections) {
    json.attributeBegin(key);
    section->printJson(json);
    json.attributeEnd();
  }
  if (report.cache)
    json.attributeObject("cache", [&] {
      json.attribute("folder", jsonText(report.cache->folder));
      json.attribute("found", report.cache->counts.found);
      json.attribute("bytes_found", report.cache->counts.bytesFound);
      json.attribute("computed", report.cache->counts.computed);
      json.attribute("kept", report.cache->counts.kept);
      json.attribute("bytes_kept", report.cache->counts.bytesKept);
      json.attribute("damaged", report.cache->counts.damaged);
      json.attribute("erased", report.cache->counts.erased);
    });
  if (report.runOnce)
    json.attributeObject("run_once", [&] {
      json.attribute("output", jsonText(report.runOnce->file));
      json.attribute("nodes", int64_t(report.runOnce->nodes));
      printNames(json, "inputs", report.runOnce->inputs);
      printNames(json, "results", report.runOnce->results);
    });
}

void onnxfold::printJson(llvm::raw_ostream &out, const FoldReport &report,
                         unsigned indent) {
  llvm::json::OStream json(out, indent);
  json.objectBegin();
  json.attribute("version", 1);
  if (report.difference)
    json.attribute("kind", "difference");
  json.attribute("input", jsonText(report.input));
  json.attribute("output", jsonText(report.output));
  json.attribute("changed", report.isChanged);
  json.attribute("bytes_before", int64_t(report.bytesBefore));
  json.attribute("bytes_after", int64_t(report.bytesAfter));
  json.attribute("peak_bytes", int64_t(peakBytes()));
  json.attribute("seconds", report.seconds);
  printRunRecord(json, report.arguments);
  json.attributeArray("steps", [&] {
    for (const FoldReport::Step &step : report.steps)
      json.object([&] {
        json.attribute("name", step.name);
        json.attribute("seconds", step.seconds);
        if (step.peak)
          json.attribute("peak_bytes", int64_t(step.peak));
      });
  });
  json.attributeArray("warnings", [&] {
    for (const std::string &warning : report.warnings)
      json.value(jsonText(warning));
  });
  json.attributeArray("nodes", [&] {
    for (const FoldReport::Node &node : report.nodes)
      printNode(json, node, nameOfAction(node));
  });
  if (report.wantsNodes)
    printParts(json, report);
  json.attributeObject("ops", [&] {
    for (const auto &entry : report.operators)
      json.attributeArray(llvm::json::fixUTF8(entry.first), [&] {
        json.value(entry.second.first);
        json.value(entry.second.second);
      });
  });
  printGroups(json, report);
  printParting(json, report);
  if (report.verification)
    json.attributeObject(
        "verify", [&] { printVerification(json, *report.verification); });
  json.objectEnd();
}
