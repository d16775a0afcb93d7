//===- Report.cpp - What became of every node -----------------------------===//

#include "Report.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/transforms/functions/CallGraph.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cmath>

using namespace onnxfold;
using namespace mlir;

static double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

Report::Report() : begin(now()), lastStep(begin) {}

void Report::endStep(llvm::StringRef name) {
  double time = now();
  steps.push_back({name.str(), time - lastStep});
  lastStep = time;
}

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

/// "main_graph", a function's name, or "path of the node/attribute".
static std::string graphOf(Operation *op, const BranchInlining &inlining) {
  std::string path;
  for (Region *region = inlining.firstRegion(op); region;) {
    Operation *parent = region->getParentOp();
    Operator node = Operator::from(parent);
    if (!node) {
      auto name =
          parent->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
      std::string base = name ? name.getValue().str() : std::string();
      return path.empty() ? base : base + "/" + path;
    }
    llvm::StringRef label = node.nodeName();
    if (label.empty() && node.numOutputs())
      label = node.outputName(0);
    std::string part =
        (label + "/" + node.graphName(region->getRegionNumber())).str();
    path = path.empty() ? part : part + "/" + path;
    region = inlining.firstRegion(parent);
  }
  return path;
}

/// A node in the terms of the model file; nothing for what is no node there
/// (initializers, terminators).
std::optional<Report::Node> Report::describe(Operation *op,
                                             const CleanUp &cleanUp) {
  Node node;
  llvm::SmallVector<StringRef, 2> outputs;
  if (auto constant = dyn_cast<OnnxConstantOp>(op)) {
    if (!constant.getNode())
      return std::nullopt;
    node.op = "Constant";
    node.since = resolveSince("", "Constant", importedOpset(op, "").value_or(1))
                     .value_or(1);
    StringRef before = cleanUp.nameInFile(op);
    outputs.push_back(before.empty() ? constant.getOutput().get() : before);
  } else if (Operator onnxOp = Operator::from(op); onnxOp && onnxOp.node()) {
    node.name = onnxOp.nodeName();
    node.op = texts.save(onnxOp.opType());
    node.domain = texts.save(onnxOp.domain());
    node.since = onnxOp.since();
    for (unsigned i = 0; i < onnxOp.numOutputs(); ++i)
      outputs.push_back(cleanUp.outputName(onnxOp, i));
  } else {
    return std::nullopt;
  }
  if (wantsNodes) {
    node.graph = texts.save(graphOf(op, cleanUp.inlining()));
    node.outputs = llvm::ArrayRef(outputs).copy(arena);
  }
  return node;
}

/// A new constant there is a Constant node, not an initializer.
static bool becomesNode(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return irVersion(op).value_or(0) < 4 ||
         (function && function->hasAttr(domainAttrName));
}

/// The operator in the table: "Abs", "ai.onnx.ml.Scaler".
static std::string typeOf(StringRef domain, StringRef op) {
  return (domain + (domain.empty() ? "" : ".") + op).str();
}

/// `isDropped`: it stands in a function that goes.
void Report::collectOne(Operation *op, const FoldPlan &plan,
                        const CleanUp &cleanUp, bool isDropped) {
  bool isKept = !isDropped && plan.action(op) == FoldPlan::Action::Kept;
  std::optional<Node> node = describe(op, cleanUp);
  if (!node) {
    // One that a clean-up made; the node that it replaces is in the list. (The
    // importer's own become none.)
    if (Operator made = Operator::from(op);
        made && made.domain() != "onnx-fold" && isKept)
      ++ops[typeOf(made.domain(), made.opType())].second;
    else if (isa<OnnxConstantOp>(op) && isKept && // no initializer there
             op->getParentOp()->hasAttr(domainAttrName))
      ++ops["Constant"].second;
    return;
  }
  auto &[before, after] = ops[typeOf(node->domain, node->op)];
  ++before;
  after += isKept;
  if (!wantsNodes)
    return;
  if (isDropped) {
    node->action = FoldPlan::Action::Removed;
    node->reason = unusedNode;
    nodes.push_back(*node);
    return;
  }
  node->action = plan.action(op);
  const Reason &reason = plan.reason(op);
  node->code = reason.code;
  StringRef pattern = cleanUp.patternOf(op);
  node->reason = texts.save(pattern.empty() ? StringRef(reason.text) : pattern);
  node->bytes = bytes.lookup(op);
  if (auto lifted = sources.find(op); lifted != sources.end())
    node->sources = lifted->second.getArrayRef().copy(arena);
  else if (node->bytes != 0)
    node->sources = llvm::ArrayRef(cleanUp.sourcesOf(op)).copy(arena);
  node->isChanged = isKept ? cleanUp.isRewired(op) : cleanUp.isReplaced(op);
  nodes.push_back(*node);
}

void Report::collect(const Evaluation &evaluation, const FoldPlan &plan,
                     const CleanUp &cleanUp, bool dropsFunctions) {
  CallGraph calls(evaluation.root(), [&](Operation *op) {
    return plan.action(op) != FoldPlan::Action::Kept;
  });
  auto isDropped = [&](Operation *function) {
    const CallGraph::Function *found = calls.find(function);
    return dropsFunctions && found && found->calls.empty();
  };
  for (Value value : plan.frontier()) {
    Operation *op = value.getDefiningOp();
    if (wantsNodes)
      bytes[op] += plan.bytesOf(value);
    if (becomesNode(op) &&
        !isDropped(op->getParentOfType<FunctionOpInterface>()))
      ++ops["Constant"].second;
  }
  if (wantsNodes)
    for (const auto &[constant, lifted] : cleanUp.lifting().lifted())
      if (plan.action(constant) == FoldPlan::Action::Kept) {
        bytes[lifted.from] += plan.bytesOf(constant->getResult(0));
        sources[lifted.from].insert_range(lifted.sources);
      }
  bool inDropped = false;
  evaluation.root()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<FunctionOpInterface>(op))
      inDropped = isDropped(op);
    if (op != evaluation.root())
      collectOne(op, plan, cleanUp, inDropped);
  });
  bytes.clear();
  sources.clear();
}

static llvm::StringRef nameOfAction(const Report::Node &node) {
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

static llvm::StringRef labelOf(const Report::Node &node) {
  if (!node.name.empty() || node.outputs.empty())
    return node.name;
  return node.outputs.front();
}

void Report::printText(llvm::raw_ostream &out) const {
  for (const std::string &warning : warnings)
    out << "warning: " << warning << "\n";
  for (const Node &node : nodes) {
    // What depends on inputs is no news.
    if ((node.code == ReasonCode::InputNotConstant && !node.isChanged) ||
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
  for (const Step &step : steps)
    out << llvm::formatv("{0,-10} {1,8:f4} s\n", step.name, step.seconds);
  out << llvm::formatv("peak memory {0:f1} MB\n", peakBytes() / 1e6);
}

void Report::printSummary(llvm::raw_ostream &out) const {
  int64_t totalBefore = 0, totalAfter = 0;
  size_t width = 8;
  for (const auto &[op, counts] : ops)
    width = std::max(width, op.size());
  std::string rule(width + 20, '-');
  auto row = [&](llvm::StringRef label, llvm::StringRef before,
                 llvm::StringRef after) {
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
}

static void printVerification(llvm::json::OStream &json,
                              const VerifyResult &result) {
  auto text = [](StringRef s) { return llvm::json::fixUTF8(s); };
  json.attribute("trials", result.trials);
  json.attribute("equal", result.isEqual());
  json.attributeArray("compared", [&] {
    for (const ComparedValue &value : result.compared)
      json.object([&] {
        json.attribute("name", text(value.name));
        json.attribute("trials", value.trials);
        json.attribute("equal", value.isEqual);
        if (value.difference.empty())
          return;
        json.attribute("trial", value.trial);
        json.attribute("difference", text(value.difference));
        if (std::isfinite(value.ulps))
          json.attribute("ulps", value.ulps);
      });
  });
  json.attributeArray("not_run", [&] {
    for (const NotRun &entry : result.notRun)
      json.object([&] {
        json.attribute("name", text(entry.name));
        json.attribute("code", onnxfold::nameOf(entry.reason.code));
        json.attribute("text", text(entry.reason.text));
      });
  });
}

void Report::printJson(llvm::raw_ostream &out) const {
  llvm::json::OStream json(out, 1);
  // Names in a model may hold any bytes; JSON holds UTF-8.
  auto text = [](llvm::StringRef s) { return llvm::json::fixUTF8(s); };
  json.objectBegin();
  json.attribute("version", 1);
  json.attribute("input", text(input));
  json.attribute("output", text(output));
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
      json.value(text(warning));
  });
  json.attributeArray("nodes", [&] {
    for (const Node &node : nodes)
      json.object([&] {
        json.attribute("graph", text(node.graph));
        json.attribute("name", text(node.name));
        json.attribute("op", text(node.op));
        json.attribute("domain", text(node.domain));
        json.attribute("since", node.since);
        json.attributeArray("outputs", [&] {
          for (StringRef output : node.outputs)
            json.value(text(output));
        });
        json.attribute("action", nameOfAction(node));
        json.attributeObject("reason", [&] {
          json.attribute("code", onnxfold::nameOf(node.code));
          json.attribute("text", text(node.reason));
        });
        json.attribute("bytes", node.bytes);
        if (!node.sources.empty())
          json.attributeArray("sources", [&] {
            for (StringRef source : node.sources)
              json.value(text(source));
          });
      });
  });
  json.attributeObject("ops", [&] {
    for (const auto &[op, counts] : ops)
      json.attributeArray(text(op), [&] {
        json.value(counts.first);
        json.value(counts.second);
      });
  });
  if (verification)
    json.attributeObject("verify",
                         [&] { printVerification(json, *verification); });
  json.objectEnd();
  out << "\n";
}
