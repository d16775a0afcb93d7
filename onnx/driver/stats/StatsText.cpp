//===- StatsText.cpp - What a model has and costs, for people -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/stats/internal/StatsPrinters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;

/// "4089184256 (4.09 G)"
static std::string withUnit(int64_t number) {
  std::string text = std::to_string(number);
  for (auto [unit, size] : {std::pair("T", 1e12), std::pair("G", 1e9),
                            std::pair("M", 1e6), std::pair("k", 1e3)})
    if (double(number) >= size)
      return llvm::formatv("{0} ({1:f2} {2})", text, double(number) / size,
                           unit);
  return text;
}

static std::string amountText(const ModelStats::Amount &amount) {
  if (amount.value)
    return withUnit(*amount.value);
  return amount.formula.empty() ? "not known" : amount.formula;
}

static std::string countText(int64_t number, StringRef what) {
  return llvm::formatv("{0} {1}{2}", number, what, number == 1 ? "" : "s");
}

std::string onnxfold::nameOf(StringRef domain, StringRef type) {
  return (domain + (domain.empty() ? "" : ".") + type).str();
}

static void printRow(llvm::raw_ostream &out, StringRef title,
                     const llvm::Twine &text) {
  constexpr unsigned width = 15;
  out << llvm::left_justify(title, width) << text << "\n";
}

static void printNoKernel(llvm::raw_ostream &out,
                          const ModelStats::NoKernel &one) {
  std::string more =
      one.nodes == 1 ? "" : " and " + std::to_string(one.nodes - 1) + " more";
  printRow(out, "no kernel",
           one.runtime + ": " + nameOf(one.domain, one.type) + " of version " +
               std::to_string(one.since) + ", node '" + one.example + "'" +
               more + ": " + one.why);
}

static void printHead(llvm::raw_ostream &out, const ModelStats &stats) {
  std::string head = withUnit(stats.modelBytes) + " bytes";
  if (stats.irVersion)
    head += ", IR version " + std::to_string(*stats.irVersion);
  if (!stats.producer.empty())
    head += ", made by " + printableName(stats.producer) +
            (stats.producerVersion.empty() ? "" : " ") +
            printableName(stats.producerVersion);
  printRow(out, "model", printableText(stats.model) + ": " + head);
  std::string opsets;
  for (const ModelStats::Opset &opset : stats.opsets)
    opsets += (opsets.empty() ? "" : ", ") + printableName(opset.domain) + " " +
              std::to_string(opset.version);
  printRow(out, "opsets", opsets.empty() ? "none" : opsets);
  for (const ModelStats::Runtime &runtime : stats.runtimes)
    printRow(out, "needs",
             runtime.name + ": " +
                 (runtime.why.empty() ? runtime.version + " or later"
                                      : runtime.why));
  for (const std::string &note : stats.runtimeNotes)
    printRow(out, "", printableText(note));
  for (const ModelStats::NoKernel &one : stats.noKernel)
    printNoKernel(out, one);
  for (const ModelStats::Port &port : stats.inputs)
    printRow(out, "input", port.name + " " + port.type);
  for (const ModelStats::Port &port : stats.outputs)
    printRow(out, "output", port.name + " " + port.type);
}

static void printTotals(llvm::raw_ostream &out, const ModelStats &stats) {
  int64_t written = 0, called = 0;
  for (const ModelStats::Operator &op : stats.operators) {
    written += op.written;
    called += op.called;
  }
  std::string nodes =
      countText(written, "node") + " in " + countText(stats.graphs, "graph");
  if (stats.functions)
    nodes += " and " + countText(stats.functions, "function") + ", " +
             std::to_string(called) + " as they are called";
  printRow(out, "nodes", nodes);
  printRow(out, "parameters",
           withUnit(stats.parameters.elements) + " in " +
               countText(stats.parameters.tensors, "tensor") + ", " +
               withUnit(stats.parameters.bytes) + " bytes");
  int64_t uncounted = 0;
  for (const ModelStats::Uncounted &entry : stats.uncounted)
    uncounted += entry.nodes;
  printRow(out, "multiply-adds",
           amountText(stats.macs) +
               (uncounted ? " and those of " + countText(uncounted, "node") +
                                " that are not known"
                          : ""));
  std::string peak = amountText(stats.peak.bytes);
  peak += stats.peak.bytes.formula.empty()
              ? ": it depends on sizes in too many ways (--dim fixes them)"
              : " bytes at once";
  if (!stats.peak.node.empty())
    peak += ", at " + stats.peak.node;
  if (!stats.peak.unknown.empty())
    peak += " and " + countText(stats.peak.unknown.size(), "value") +
            " of unknown size";
  printRow(out, "activations", peak);
  for (const ModelStats::Symbol &symbol : stats.symbols)
    if (!symbol.meaning.empty())
      printRow(out, "",
               symbol.name + " is the " +
                   (StringRef(symbol.meaning).starts_with("iter") ? "number of "
                                                                  : "") +
                   symbol.meaning);
}

static void printOperators(llvm::raw_ostream &out, const ModelStats &stats) {
  size_t width = 8;
  for (const ModelStats::Operator &op : stats.operators)
    width = std::max(width, nameOf(op.domain, op.type).size());
  bool hasFunctions = stats.functions != 0;
  out << "\n"
      << llvm::left_justify("operator", width)
      << llvm::right_justify("nodes", 8)
      << (hasFunctions ? llvm::right_justify("called", 8)
                       : llvm::right_justify("", 0))
      << "  multiply-adds\n";
  for (const ModelStats::Operator &op : stats.operators) {
    out << llvm::left_justify(nameOf(op.domain, op.type), width)
        << llvm::right_justify(std::to_string(op.written), 8);
    if (hasFunctions)
      out << llvm::right_justify(std::to_string(op.called), 8);
    std::string macs = op.macs.value == 0 ? "" : "  " + amountText(op.macs);
    out << macs << "\n";
  }
}

static void printGroups(llvm::raw_ostream &out, StringRef title,
                        llvm::ArrayRef<ModelStats::Group> groups) {
  constexpr size_t most = 20;
  size_t width = title.size();
  for (const ModelStats::Group &group : groups.take_front(most))
    width = std::max(width, group.name.size());
  out << "\n"
      << llvm::left_justify(title, width) << llvm::right_justify("tensors", 9)
      << llvm::right_justify("elements", 16) << llvm::right_justify("bytes", 16)
      << "\n";
  for (const ModelStats::Group &group : groups.take_front(most))
    out << llvm::left_justify(group.name, width)
        << llvm::right_justify(std::to_string(group.tensors), 9)
        << llvm::right_justify(std::to_string(group.elements), 16)
        << llvm::right_justify(std::to_string(group.bytes), 16) << "\n";
  if (groups.size() > most)
    out << "and " << groups.size() - most << " more\n";
}

static void printTexts(llvm::raw_ostream &out, const ModelStats &stats) {
  if (!stats.uncounted.empty())
    out << "\nnot counted in multiply-adds:\n";
  for (const ModelStats::Uncounted &entry : stats.uncounted)
    out << "  " << nameOf(entry.domain, entry.type) << ", "
        << countText(entry.nodes, "node") << " (" << entry.example
        << "): " << entry.why << "\n";
  if (!stats.notes.empty())
    out << "\n";
  for (const std::string &note : stats.notes)
    out << "note: " << note << "\n";
  constexpr size_t most = 10;
  if (!stats.peak.unknown.empty())
    out << "\nvalues of unknown size:\n";
  for (const std::string &value :
       llvm::ArrayRef(stats.peak.unknown).take_front(most))
    out << "  " << value << "\n";
  if (stats.peak.unknown.size() > most)
    out << "  and " << stats.peak.unknown.size() - most << " more\n";
}

void onnxfold::printStatsText(llvm::raw_ostream &out, const ModelStats &stats) {
  printHead(out, stats);
  printTotals(out, stats);
  printOperators(out, stats);
  if (stats.parameters.tensors) {
    printGroups(out, "element type", stats.byType);
    printGroups(out, "stored in", stats.byStorage);
    printGroups(out, "read by", stats.byOwner);
    out << "\nlargest tensors\n";
  }
  for (const ModelStats::Tensor &tensor : stats.largest)
    out << llvm::right_justify(std::to_string(tensor.bytes), 14) << " bytes  "
        << tensor.type << "  " << tensor.name << " (" << tensor.owner << ")\n";
  printTexts(out, stats);
}
