//===- StatsJson.cpp - What a model has and costs, for programs -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/stats.md is its contract.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/driver/report/ReportPage.h"
#include "onnxfold/onnx/driver/stats/internal/StatsPrinters.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;
using llvm::json::OStream;

/// Names may hold any bytes.
static void attribute(OStream &json, StringRef key, StringRef text) {
  json.attribute(key, llvm::json::fixUTF8(text));
}

static void attribute(OStream &json, StringRef key,
                      std::optional<int64_t> number) {
  json.attribute(key, number ? llvm::json::Value(*number)
                             : llvm::json::Value(nullptr));
}

static void attribute(OStream &json, StringRef key,
                      const ModelStats::Amount &amount) {
  json.attributeObject(key, [&] {
    attribute(json, "value", amount.value);
    attribute(json, "formula", amount.formula);
  });
}

static void attribute(OStream &json, StringRef key,
                      llvm::ArrayRef<std::string> texts) {
  json.attributeArray(key, [&] {
    for (const std::string &text : texts)
      json.value(llvm::json::fixUTF8(text));
  });
}

static void attribute(OStream &json, StringRef key,
                      llvm::ArrayRef<ModelStats::Port> ports) {
  json.attributeArray(key, [&] {
    for (const ModelStats::Port &port : ports)
      json.object([&] {
        attribute(json, "name", StringRef(port.name));
        attribute(json, "type", StringRef(port.type));
      });
  });
}

static void printGroup(OStream &json, const ModelStats::Group &group) {
  json.attribute("tensors", group.tensors);
  json.attribute("elements", group.elements);
  json.attribute("bytes", group.bytes);
}

static void attribute(OStream &json, StringRef key,
                      llvm::ArrayRef<ModelStats::Group> groups) {
  json.attributeArray(key, [&] {
    for (const ModelStats::Group &group : groups)
      json.object([&] {
        attribute(json, "name", StringRef(group.name));
        printGroup(json, group);
      });
  });
}

static void printModel(OStream &json, const ModelStats &stats) {
  json.attribute("version", 1);
  json.attribute("kind", "stats");
  attribute(json, "model", StringRef(stats.model));
  json.attribute("bytes", stats.modelBytes);
  attribute(json, "ir_version", stats.irVersion);
  attribute(json, "producer", StringRef(stats.producer));
  attribute(json, "producer_version", StringRef(stats.producerVersion));
  attribute(json, "domain", StringRef(stats.domain));
  attribute(json, "model_version", stats.modelVersion);
  json.attributeObject("opsets", [&] {
    for (const ModelStats::Opset &opset : stats.opsets)
      json.attribute(llvm::json::fixUTF8(opset.domain), opset.version);
  });
  attribute(json, "inputs", llvm::ArrayRef(stats.inputs));
  attribute(json, "outputs", llvm::ArrayRef(stats.outputs));
  json.attribute("graphs", stats.graphs);
  json.attribute("functions", stats.functions);
}

static void printParameters(OStream &json, const ModelStats &stats) {
  json.attributeObject("parameters", [&] {
    printGroup(json, stats.parameters);
    attribute(json, "by_type", llvm::ArrayRef(stats.byType));
    attribute(json, "by_storage", llvm::ArrayRef(stats.byStorage));
    attribute(json, "by_reader", llvm::ArrayRef(stats.byOwner));
    json.attributeArray("largest", [&] {
      for (const ModelStats::Tensor &tensor : stats.largest)
        json.object([&] {
          attribute(json, "name", StringRef(tensor.name));
          attribute(json, "type", StringRef(tensor.type));
          attribute(json, "reader", StringRef(tensor.owner));
          json.attribute("bytes", tensor.bytes);
        });
    });
  });
}

static void printCosts(OStream &json, const ModelStats &stats) {
  json.attributeArray("operators", [&] {
    for (const ModelStats::Operator &op : stats.operators)
      json.object([&] {
        attribute(json, "domain", StringRef(op.domain));
        attribute(json, "type", StringRef(op.type));
        json.attribute("written", op.written);
        json.attribute("called", op.called);
        attribute(json, "macs", op.macs);
      });
  });
  attribute(json, "macs", stats.macs);
  json.attributeArray("uncounted", [&] {
    for (const ModelStats::Uncounted &entry : stats.uncounted)
      json.object([&] {
        attribute(json, "domain", StringRef(entry.domain));
        attribute(json, "type", StringRef(entry.type));
        json.attribute("nodes", entry.nodes);
        attribute(json, "example", StringRef(entry.example));
        attribute(json, "why", StringRef(entry.why));
      });
  });
  json.attributeObject("activations", [&] {
    attribute(json, "value", stats.peak.bytes.value);
    attribute(json, "formula", StringRef(stats.peak.bytes.formula));
    attribute(json, "node", StringRef(stats.peak.node));
    attribute(json, "unknown", llvm::ArrayRef(stats.peak.unknown));
  });
  json.attributeArray("symbols", [&] {
    for (const ModelStats::Symbol &symbol : stats.symbols)
      json.object([&] {
        attribute(json, "name", StringRef(symbol.name));
        attribute(json, "meaning", StringRef(symbol.meaning));
      });
  });
}

static void printNoKernel(OStream &json, const ModelStats &stats) {
  json.attributeArray("no_kernel", [&] {
    for (const ModelStats::NoKernel &one : stats.noKernel)
      json.object([&] {
        attribute(json, "runtime", StringRef(one.runtime));
        attribute(json, "domain", StringRef(one.domain));
        attribute(json, "type", StringRef(one.type));
        attribute(json, "since", one.since);
        attribute(json, "nodes", one.nodes);
        attribute(json, "example", StringRef(one.example));
        attribute(json, "why", StringRef(one.why));
      });
  });
}

void onnxfold::printStatsJson(llvm::raw_ostream &out, const ModelStats &stats,
                              unsigned indent) {
  OStream json(out, indent);
  json.object([&] {
    printModel(json, stats);
    printParameters(json, stats);
    printCosts(json, stats);
    json.attributeArray("runtimes", [&] {
      for (const ModelStats::Runtime &runtime : stats.runtimes)
        json.object([&] {
          attribute(json, "name", StringRef(runtime.name));
          attribute(json, "version", StringRef(runtime.version));
          attribute(json, "why", StringRef(runtime.why));
        });
    });
    attribute(json, "runtime_notes", llvm::ArrayRef(stats.runtimeNotes));
    printNoKernel(json, stats);
    attribute(json, "notes", llvm::ArrayRef(stats.notes));
    attribute(json, "warnings", llvm::ArrayRef(stats.warnings));
  });
}

void onnxfold::printStats(llvm::raw_ostream &out, const ModelStats &stats,
                          ReportFormat format, unsigned indent) {
  if (format == ReportFormat::Json) {
    printStatsJson(out, stats, indent);
    out << "\n";
  } else if (format == ReportFormat::Html) {
    printPage(out, [&](llvm::raw_ostream &page) {
      printStatsJson(page, stats, /*indent=*/0);
    });
  } else {
    printStatsText(out, stats);
  }
}
