//===- DiffModels.cpp - How do two models differ? -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/compare/DiffModels.h"
#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/onnx/driver/compare/internal/ConstantDiff.h"
#include "onnxfold/onnx/driver/compare/internal/ModelMatch.h"
#include "onnxfold/onnx/driver/compare/internal/TwoModels.h"
#include "onnxfold/onnx/driver/emit/internal/TextFile.h"
#include "onnxfold/onnx/driver/report/ReportPrinters.h"
#include "onnxfold/onnx/driver/report/internal/ReportTexts.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace onnxfold;
using namespace mlir;

namespace onnxfold {

/// Fills a report with the difference of two models.
class ModelDiff {
public:
  ModelDiff(ModuleOp before, ModuleOp after, FoldReport &report)
      : before(before), after(after), match(this->before, this->after),
        report(report), texts(report) {}

  void run();

private:
  using Node = FoldReport::Node;
  using State = FoldReport::Constant::State;

  void compareModels();
  void compareInterface(FunctionOpInterface a, FunctionOpInterface b,
                        bool isInput);
  void compareOutputs();
  void note(const llvm::Twine &text) {
    report.difference->models.push_back(text.str());
  }
  void compareConstants();
  void compareUnread();
  void compareConstants(OnnxConstantOp a, OnnxConstantOp b);
  void addConstant(OnnxConstantOp constant, State state, StringRef graph,
                   StringRef difference = {}, StringRef nameAfter = {});
  void addBefore(Operation *op);
  void addAfter(Operation *op);
  void count(Operation *op, bool isAfter);
  Node describe(Operation *op, StringRef graph);
  std::string changesOf(Operation *a, Operation *b);
  std::string changesOfAttributes(Operation *a, Operation *b);
  StringRef graphOfNode(Operation *op, bool isAfter);
  bool areEqual(Value a, Value b) const;
  bool isEmpty() const;

  ModelNodes before, after;
  ModelMatch match;
  FoldReport &report;
  ReportTexts texts;
  llvm::DenseMap<Operation *, Operation *> partners; ///< constants, both ways
  llvm::DenseMap<Operation *, std::string> differences; ///< of the former
  /// Constants that are the same as one which has a partner.
  llvm::DenseSet<Operation *> shared;
  llvm::DenseMap<Region *, StringRef> graphs;
  llvm::DenseMap<Operation *, int64_t> numbers; ///< of nodes in the report
};

} // namespace onnxfold

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// A pair; or where one of them has another partner, of the same value.
void ModelDiff::compareConstants(OnnxConstantOp a, OnnxConstantOp b) {
  auto isDone = [&](Operation *op) {
    return partners.contains(op) || shared.contains(op);
  };
  if (isDone(a) && isDone(b))
    return;
  std::string apart =
      differenceOf(elementsOf(a.getValue()), elementsOf(b.getValue()));
  if (!partners.contains(a) && !partners.contains(b)) {
    partners[a] = b;
    partners[b] = a;
    differences[a] = std::move(apart);
  } else if (apart.empty()) {
    shared.insert(a);
    shared.insert(b);
  }
}

/// Pairs constants at the same operand of a pair of nodes, then by name.
void ModelDiff::compareConstants() {
  for (Operation *op : before.nodes)
    if (Operation *other = match.of(op))
      for (auto [x, y] : llvm::zip(op->getOperands(), other->getOperands())) {
        auto a = x.getDefiningOp<OnnxConstantOp>();
        auto b = y.getDefiningOp<OnnxConstantOp>();
        if (a && b)
          compareConstants(a, b);
      }
  llvm::StringMap<OnnxConstantOp> named;
  after.module->walk([&](OnnxConstantOp constant) {
    if (!constant.getOutput().get().empty() && !partners.contains(constant))
      named.try_emplace(constant.getOutput().get(), constant);
  });
  before.module->walk([&](OnnxConstantOp constant) {
    if (auto other = named.lookup(constant.getOutput().get()))
      compareConstants(constant, other);
  });
  compareUnread();
}

/// Constants that nobody reads are told by their order alone.
void ModelDiff::compareUnread() {
  auto unreadOf = [&](ModuleOp module) {
    llvm::SmallVector<OnnxConstantOp> unread;
    module->walk([&](OnnxConstantOp constant) {
      if (constant->use_empty() && !partners.contains(constant) &&
          !shared.contains(constant))
        unread.push_back(constant);
    });
    return unread;
  };
  for (auto [a, b] : llvm::zip(unreadOf(before.module), unreadOf(after.module)))
    if (differenceOf(elementsOf(a.getValue()), elementsOf(b.getValue()))
            .empty())
      compareConstants(a, b);
}

void ModelDiff::addConstant(OnnxConstantOp constant, State state,
                            StringRef graph, StringRef difference,
                            StringRef nameAfter) {
  FoldReport::Constant entry;
  entry.graph = graph;
  entry.name = texts.keep(constant.getOutput().get());
  entry.state = state;
  entry.difference = texts.save(difference);
  if (nameAfter != constant.getOutput().get())
    entry.nameAfter = texts.keep(nameAfter);
  if (Elements value = elementsOf(constant.getValue())) {
    entry.type = name(value.type());
    entry.shape = texts.keepShape(value.shape());
    entry.bytes = packedBytes(value.type(), value.size());
  }
  report.constants.push_back(entry);
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// A graph of `after` has the name of its partner.
StringRef ModelDiff::graphOfNode(Operation *op, bool isAfter) {
  Region *region = op->getParentRegion();
  if (Region *partner = isAfter ? match.of(region) : nullptr)
    region = partner;
  auto [it, isNew] = graphs.try_emplace(region);
  if (!isNew)
    return it->second;
  const ModelNodes &model = before.graphs.contains(region) ? before : after;
  FoldReport::Graph graph;
  it->second = graph.name = texts.save(model.graphs.lookup(region));
  Operation *owner = region->getParentOp();
  if (auto number = numbers.find(owner); number != numbers.end())
    graph.node = number->second;
  else if (auto domain = owner->getAttrOfType<StringAttr>(domainAttrName))
    graph.domain = texts.save(domain.getValue());
  else if (auto title = owner->getAttrOfType<StringAttr>(nameAttrName))
    graph.title = texts.save(title.getValue());
  if (!region->empty()) {
    graph.inputs = texts.namesOf(region->getArguments());
    graph.outputs =
        texts.namesOf(region->front().getTerminator()->getOperands());
  }
  report.graphs.push_back(graph);
  return graph.name;
}

FoldReport::Node ModelDiff::describe(Operation *op, StringRef graph) {
  Operator onnxOp = Operator::from(op);
  Node node;
  node.graph = graph;
  node.name = texts.keep(onnxOp.nodeName());
  node.op = texts.save(onnxOp.opType());
  node.domain = texts.save(onnxOp.domain());
  node.since = onnxOp.since();
  node.inputs = texts.namesOf(op->getOperands());
  node.outputs = texts.namesOf(op->getResults());
  return node;
}

void ModelDiff::count(Operation *op, bool isAfter) {
  Operator node = Operator::from(op);
  auto &counts =
      report.operators[(node.domain() + (node.domain().empty() ? "" : ".") +
                        node.opType())
                           .str()];
  ++(isAfter ? counts.second : counts.first);
}

/// "input #1 is 'y', was 'x'".
static std::string changeOf(const llvm::Twine &what, StringRef was,
                            StringRef is) {
  return (what + " is " + is + ", was " + was).str();
}

static std::string quoted(StringRef name) {
  return name.empty() ? "left out" : "'" + printableName(name) + "'";
}

static std::string textOfValue(Value value) {
  if (!value || isAbsent(value))
    return "left out";
  return (value.getDefiningOp<OnnxConstantOp>() ? "the constant " : "") +
         quoted(valueName(value));
}

static std::string textOfAttribute(Attribute attribute) {
  if (!attribute)
    return "left out";
  if (auto elements = dyn_cast<ElementsAttr>(attribute))
    return "a " + debugString(elements.getType());
  std::string text;
  llvm::raw_string_ostream out(text);
  attribute.print(out, /*elideType=*/true);
  return printableName(text);
}

/// Each is a text that begins with "; ".
std::string ModelDiff::changesOfAttributes(Operation *a, Operation *b) {
  std::string text;
  llvm::SmallVector<StringRef> names;
  for (NamedAttribute one : a->getDiscardableAttrs())
    names.push_back(one.getName());
  for (NamedAttribute one : b->getDiscardableAttrs())
    if (!a->hasAttr(one.getName()))
      names.push_back(one.getName());
  for (StringRef name : names) {
    Attribute x = a->getDiscardableAttr(name), y = b->getDiscardableAttr(name);
    if (x == y)
      continue;
    std::string what = "attribute " + quoted(name);
    if (isa_and_nonnull<ElementsAttr>(x) && isa_and_nonnull<ElementsAttr>(y)) {
      std::string apart = differenceOf(elementsOf(x), elementsOf(y));
      if (!apart.empty())
        text.append("; ").append(what).append(": ").append(apart);
    } else {
      text += "; " + changeOf(what, textOfAttribute(x), textOfAttribute(y));
    }
  }
  return text;
}

/// The same result, or constants of the same value.
bool ModelDiff::areEqual(Value a, Value b) const {
  auto left = a.getDefiningOp<OnnxConstantOp>(),
       right = b.getDefiningOp<OnnxConstantOp>();
  if (!left || !right)
    return match.areSame(a, b);
  if (partners.lookup(left) == right.getOperation())
    return differences.lookup(left).empty();
  return differenceOf(elementsOf(left.getValue()), elementsOf(right.getValue()))
      .empty();
}

/// Says in what a pair of nodes differs; "" if in nothing.
std::string ModelDiff::changesOf(Operation *a, Operation *b) {
  Operator left = Operator::from(a), right = Operator::from(b);
  std::string text;
  if (left.since() != right.since())
    text += "; " + changeOf("version", std::to_string(left.since()),
                            std::to_string(right.since()));
  text += changesOfAttributes(a, b);
  for (unsigned i = 0, n = std::max(a->getNumOperands(), b->getNumOperands());
       i != n; ++i) {
    Value x = i < a->getNumOperands() ? a->getOperand(i) : Value();
    Value y = i < b->getNumOperands() ? b->getOperand(i) : Value();
    if (x && y && areEqual(x, y))
      continue;
    if ((!x || isAbsent(x)) && (!y || isAbsent(y)))
      continue;
    bool isConstant = x && y && x.getDefiningOp<OnnxConstantOp>() &&
                      y.getDefiningOp<OnnxConstantOp>();
    std::string what = "input #" + std::to_string(i);
    if (isConstant)
      text += "; " + what + ", " + textOfValue(y) + ", has other values";
    else
      text += "; " + changeOf(what, textOfValue(x), textOfValue(y));
  }
  if (a->getNumResults() != b->getNumResults())
    text += "; " + changeOf("the number of outputs",
                            std::to_string(a->getNumResults()),
                            std::to_string(b->getNumResults()));
  return StringRef(text).drop_front(text.empty() ? 0 : 2).str();
}

void ModelDiff::addBefore(Operation *op) {
  count(op, /*isAfter=*/false);
  numbers[op] = report.nodes.size();
  Node node = describe(op, graphOfNode(op, /*isAfter=*/false));
  Operation *other = match.of(op);
  FoldReport::Difference &found = *report.difference;
  if (!other) {
    node.action = FoldAction::Removed;
    ++found.onlyBefore;
    report.nodes.push_back(node);
    return;
  }
  Node now = describe(other, node.graph);
  if (now.inputs != node.inputs)
    node.inputsAfter = now.inputs;
  if (now.outputs != node.outputs)
    node.outputsAfter = now.outputs;
  std::string changes = changesOf(op, other);
  node.isChanged = !changes.empty();
  if (now.name != node.name && changes.empty())
    changes = "name is " + quoted(now.name);
  if (node.isChanged)
    ++found.changed;
  else
    ++found.same;
  found.renamed +=
      !node.isChanged && (now.name != node.name || now.outputs != node.outputs);
  node.reason = texts.save(changes);
  report.nodes.push_back(node);
}

void ModelDiff::addAfter(Operation *op) {
  count(op, /*isAfter=*/true);
  if (match.of(op))
    return;
  ++report.difference->onlyAfter;
  numbers[op] = report.nodes.size() + report.newNodes.size();
  report.newNodes.push_back(describe(op, graphOfNode(op, /*isAfter=*/true)));
}

//===----------------------------------------------------------------------===//
// The models
//===----------------------------------------------------------------------===//

static FunctionOpInterface mainGraphOf(ModuleOp module) {
  return module.lookupSymbol<FunctionOpInterface>(mainGraphSymbol);
}

/// Names and types of inputs or outputs.
void ModelDiff::compareInterface(FunctionOpInterface a, FunctionOpInterface b,
                                 bool isInput) {
  auto listOf = [&](FunctionOpInterface graph) {
    std::vector<std::pair<StringRef, Type>> list;
    auto types = isInput ? graph.getArgumentTypes() : graph.getResultTypes();
    for (auto [i, type] : llvm::enumerate(types)) {
      auto name = isInput
                      ? graph.getArgAttrOfType<StringAttr>(i, nameAttrName)
                      : graph.getResultAttrOfType<StringAttr>(i, nameAttrName);
      list.emplace_back(name ? name.getValue() : "", type);
    }
    return list;
  };
  auto find = [](const auto &list, StringRef name) {
    return llvm::find_if(list, [&](auto one) { return one.first == name; });
  };
  std::string what = isInput ? "input " : "output ";
  auto was = listOf(a), is = listOf(b);
  for (auto [name, type] : was) {
    auto other = find(is, name);
    if (other == is.end())
      note(what + quoted(name) + " is only in a");
    else if (other->second != type)
      note(changeOf(what + quoted(name), debugString(type),
                    debugString(other->second)));
  }
  for (auto [name, type] : is)
    if (find(was, name) == was.end())
      note(what + quoted(name) + " is only in b");
}

/// Outputs of one name that are other values.
void ModelDiff::compareOutputs() {
  FunctionOpInterface a = mainGraphOf(before.module),
                      b = mainGraphOf(after.module);
  Operation *left = a.getFunctionBody().front().getTerminator(),
            *right = b.getFunctionBody().front().getTerminator();
  for (unsigned i = 0; i != a.getNumResults(); ++i) {
    auto name = a.getResultAttrOfType<StringAttr>(i, nameAttrName);
    for (unsigned j = 0; j != b.getNumResults(); ++j)
      if (b.getResultAttrOfType<StringAttr>(j, nameAttrName) == name &&
          !areEqual(left->getOperand(i), right->getOperand(j)))
        note("output " + quoted(name ? name.getValue() : "") +
             " is the result of another node");
  }
}

void ModelDiff::compareModels() {
  auto opsets = [](ModuleOp module) {
    auto list = module->getAttrOfType<ArrayAttr>(opsetImportsAttrName);
    std::map<std::string, int64_t> result;
    if (list)
      for (auto one : list.getAsRange<OnnxOpsetAttr>())
        result[one.getDomain() == "" ? "ai.onnx" : one.getDomain().str()] =
            one.getVersion();
    return result;
  };
  auto was = opsets(before.module), is = opsets(after.module);
  for (auto [domain, version] : was)
    if (auto it = is.find(domain); it != is.end() && it->second != version)
      note(changeOf("the opset of " + domain, std::to_string(version),
                    std::to_string(it->second)));
  if (irVersion(before.module) != irVersion(after.module))
    note(changeOf("the IR version",
                  std::to_string(irVersion(before.module).value_or(0)),
                  std::to_string(irVersion(after.module).value_or(0))));
  for (bool isInput : {true, false})
    compareInterface(mainGraphOf(before.module), mainGraphOf(after.module),
                     isInput);
  compareOutputs();
}

bool ModelDiff::isEmpty() const {
  const FoldReport::Difference &found = *report.difference;
  return found.changed + found.onlyBefore + found.onlyAfter == 0 &&
         found.models.empty() &&
         llvm::all_of(report.constants, [](const auto &constant) {
           return constant.state == State::Kept;
         });
}

void ModelDiff::run() {
  report.difference = FoldReport::Difference();
  compareConstants();
  compareModels();
  for (Operation *op : before.nodes)
    addBefore(op);
  for (Operation *op : after.nodes)
    addAfter(op);
  before.module->walk([&](OnnxConstantOp constant) {
    auto other = dyn_cast_or_null<OnnxConstantOp>(partners.lookup(constant));
    StringRef graph = graphOfNode(constant, /*isAfter=*/false);
    if (!other)
      return addConstant(
          constant, shared.contains(constant) ? State::Kept : State::Removed,
          graph);
    StringRef apart = differences[constant];
    report.difference->constantsSame += apart.empty();
    addConstant(constant, apart.empty() ? State::Kept : State::Changed, graph,
                apart, other.getOutput().get());
  });
  after.module->walk([&](OnnxConstantOp constant) {
    if (!partners.contains(constant) && !shared.contains(constant))
      addConstant(constant, State::Added,
                  graphOfNode(constant, /*isAfter=*/true));
  });
  report.isChanged = !isEmpty();
}

//===----------------------------------------------------------------------===//
// Texts and files
//===----------------------------------------------------------------------===//

static llvm::Error writeDifference(const FoldOptions &options,
                                   const FoldReport &report,
                                   llvm::ArrayRef<FileIdentity> inputs,
                                   const FoldCallbacks &callbacks) {
  auto complete = [&] {
    return callbacks.complete ? callbacks.complete() : llvm::Error::success();
  };
  if (options.reportFile.empty())
    return complete();
  auto opened = OutputFile::create(options.reportFile, inputs);
  if (!opened)
    return opened.takeError();
  TextFile out(**opened);
  printReport(out, report, options.report);
  if (llvm::Error error = out.finish())
    return error;
  if (llvm::Error error = complete())
    return error;
  return (*opened)->commit();
}

llvm::Error onnxfold::diffModels(StringRef before, StringRef after,
                                 const FoldOptions &options, FoldReport &report,
                                 const FoldCallbacks &callbacks) {
  report.wantsNodes = true;
  auto compare = [&](ImportedModel &left, ImportedModel &right,
                     RunScope &run) -> llvm::Error {
    report.input = before.str();
    report.output = after.str();
    report.bytesBefore = left.index->file()->size();
    report.bytesAfter = right.index->file()->size();
    auto diffStep = [&]() -> llvm::Expected<StepResult> {
      ModelDiff(*left.module, *right.module, report).run();
      return StepResult::Changed;
    };
    if (llvm::Error error = run.steps({{"compare", diffStep}}))
      return error;
    auto inputs = left.inputFiles();
    llvm::append_range(inputs, right.inputFiles());
    return writeDifference(options, report, inputs, callbacks);
  };
  return withTwoModels(before, after, options, report, callbacks, compare);
}
