//===- ClassCollector.cpp - The classes of types of a module --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/convert/internal/ClassCollector.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnxfold/onnx/transforms/convert/internal/SchemaTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"

using namespace onnxfold;
using namespace mlir;
using llvm::StringMap;

ClassCollector::ClassCollector(ModuleOp module,
                               const TypeConversionOptions &options,
                               TypeClasses &classes)
    : module(module), options(options), classes(classes),
      calls(module, [](Operation *) { return false; }), flow(calls) {}

void ClassCollector::keep(Value value, const Twine &why) {
  if (const TypePair *pair = classes.pairOf(value.getType()))
    classes.keep(classes.ofOrNew(value, *pair), why);
}

void ClassCollector::keep(OpOperand &place, const Twine &why) {
  const TypePair *pair = classes.pairOf(place.get().getType());
  if (!pair)
    return;
  classes.add(place, classes.make(*pair));
  classes.keep(*classes.of(place), why);
}

/// A value that another place gets: a body's argument, a result of a call.
void ClassCollector::tie(OpOperand &place, Value value) {
  const TypePair *pair = classes.pairOf(value.getType());
  if (pair && pair == classes.pairOf(place.get().getType()))
    return classes.add(place, classes.ofOrNew(value, *pair));
  constexpr llvm::StringLiteral why = "it stands for values of several types";
  keep(place, why);
  keep(value, why);
}

void ClassCollector::keepAll(Operator op, const Twine &why) {
  for (OpOperand &place : op->getOpOperands())
    keep(place, why);
  for (Value result : op->getResults())
    keep(result, why);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      keepEnds(block, why);
  // The function has what its calls pass and read.
  if (const CallGraph::Function *callee = calls.calledBy(op.getOperation()))
    keepEnds(callee->op->getRegion(0).front(), why);
}

void ClassCollector::keepEnds(Block &block, const Twine &why) {
  for (Value argument : block.getArguments())
    keep(argument, why);
  for (OpOperand &place : block.back().getOpOperands())
    keep(place, why);
}

//===----------------------------------------------------------------------===//
// Operators with a schema
//===----------------------------------------------------------------------===//

static std::string versionOf(Operator op) {
  return (op.opType() + "-" + Twine(op.since())).str();
}

static std::string notTaken(Operator op, const FormalParameter &parameter,
                            DataType type) {
  return (versionOf(op) + " does not have '" + parameter.name + "' in " +
          name(type))
      .str();
}

bool ClassCollector::findStatement(Operator op, unsigned result,
                                   const TypePair &pair, Id id) {
  for (const NamedAttribute &attribute : statedTypes(op, pair)) {
    auto types = inferElementsWith(op, attribute);
    if (types && (*types)[result] == pair.to) {
      statements.push_back({op, attribute, id});
      return true;
    }
  }
  return false;
}

static constexpr llvm::StringLiteral isParameter =
    "an attribute is a parameter of the function";

/// Results whose type variable no operand has: their type follows from that of
/// an operand all the same, or from an attribute.
void ClassCollector::visitSources(Operator op, ArrayRef<unsigned> results,
                                  StringMap<SmallVector<OpOperand *>> &places) {
  auto mayChange = [&](OpOperand *place) {
    std::optional<Id> id = classes.of(*place);
    return !id || !classes.isKept(*id);
  };
  llvm::DenseMap<unsigned, const TypePair *> changed;
  for (auto &[variable, list] : places)
    for (OpOperand *place : list)
      if (mayChange(place))
        changed[place->getOperandNumber()] =
            classes.pairOf(place->get().getType());
  std::optional<SmallVector<DataType>> types;
  if (op.hasReferences()) // one may state the type
    for (unsigned result : results)
      keep(op->getResult(result), isParameter);
  else if (!changed.empty())
    types = inferElements(op, [&](unsigned operand) {
      const TypePair *pair = changed.lookup(operand);
      return pair ? pair->to : DataType::Undefined;
    });
  for (unsigned result : results) {
    Value value = op->getResult(result);
    const TypePair &pair = *classes.pairOf(value.getType());
    Id id = classes.ofOrNew(value, pair);
    if (classes.isKept(id))
      sources.insert(value);
    else if (types && (*types)[result] == pair.to) {
      for (auto &[variable, list] : places)
        for (OpOperand *place : list)
          if (classes.pairOf(place->get().getType()) == &pair)
            classes.add(*place, id);
    } else {
      sources.insert(value);
      if (!findStatement(op, result, pair, id))
        classes.keep(id, versionOf(op) + " states the type of its result");
    }
  }
}

void ClassCollector::visitPlain(Operator op, const onnx::OpSchema &schema) {
  operators.push_back(op);
  StringMap<SmallVector<OpOperand *>> places; // by type variable
  for (OpOperand &place : op->getOpOperands()) {
    const TypePair *pair = classes.pairOf(place.get().getType());
    if (!pair)
      continue;
    FormalParameter parameter =
        formalInput(schema, place.getOperandNumber(), pair->to);
    SmallVector<OpOperand *> &list = places[parameter.variable];
    if (!parameter.takes)
      keep(place, notTaken(op, parameter, pair->to));
    list.push_back(&place);
    if (list.size() == 1) // alone it takes either type
      continue;
    if (!classes.of(*list.front()))
      classes.add(*list.front(), classes.make(*pair));
    classes.add(place, *classes.of(*list.front()));
  }
  SmallVector<unsigned> untied;
  for (OpResult result : op->getResults()) {
    const TypePair *pair = classes.pairOf(result.getType());
    if (!pair)
      continue;
    FormalParameter parameter =
        formalOutput(schema, result.getResultNumber(), pair->to);
    auto found = places.find(parameter.variable);
    Id id = classes.ofOrNew(result, *pair);
    if (!parameter.takes)
      classes.keep(id, notTaken(op, parameter, pair->to));
    if (found == places.end())
      untied.push_back(result.getResultNumber());
    else
      for (OpOperand *place : found->second)
        classes.add(*place, id);
  }
  if (!untied.empty())
    visitSources(op, untied, places);
  keepTyped(op, schema);
  joinFloats(op);
}

/// A tensor in an attribute that states no result (the thresholds of a tree)
/// fixes the types of the node.
void ClassCollector::keepTyped(Operator op, const onnx::OpSchema &schema) {
  for (const auto &entry : schema.attributes()) {
    StringRef name = entry.first;
    bool isTensor = entry.second.type == onnx::AttributeProto::TENSOR;
    ElementsAttr tensor = isTensor ? op.getTensor(name) : ElementsAttr();
    const TypePair *pair = tensor ? classes.pairOf(tensor.getType()) : nullptr;
    if (!pair)
      continue;
    // The statements of the node at hand are the last ones.
    bool isStated =
        llvm::any_of(llvm::reverse(statements), [&](const StatedType &one) {
          return one.op.getOperation() == op.getOperation() &&
                 one.attribute.getName() == name;
        });
    if (!isStated)
      keepAll(op, "its attribute '" + Twine(name) + "' is a tensor of " +
                      onnxfold::name(pair->from));
  }
}

/// A class for floats of which each is alone in its type variable (the input
/// and the scale of a QuantizeLinear), if there are several.
std::optional<TypeClasses::Id> ClassCollector::classOfLoneFloats(Operator op) {
  const TypePair *common = nullptr;
  unsigned count = 0;
  for (OpOperand &place : op->getOpOperands()) {
    const TypePair *pair = classes.pairOf(place.get().getType());
    if (!pair || !isFloat(pair->from) || classes.of(place))
      continue;
    common = common ? common : pair;
    count += pair == common;
  }
  return count > 1 ? std::optional(classes.make(*common)) : std::nullopt;
}

/// A schema may let the mask of an Attention, or the exponent of a Pow, have
/// another type than the rest; few runtimes do. (Indices are another matter.)
void ClassCollector::joinFloats(Operator op) {
  std::optional<Id> first;
  auto note = [&](std::optional<Id> id) {
    if (!id || classes.isKept(*id) || !isFloat(classes.pairOf(*id).from))
      return;
    if (first && &classes.pairOf(*first) == &classes.pairOf(*id))
      classes.join(*first, *id);
    first = id;
  };
  for (Value result : op->getResults())
    if (!sources.contains(result))
      note(classes.of(result));
  for (OpOperand &place : op->getOpOperands())
    note(classes.of(place));
  if (!first)
    first = classOfLoneFloats(op);
  if (!first)
    return;
  for (OpOperand &place : op->getOpOperands())
    if (!classes.of(place) &&
        classes.pairOf(place.get().getType()) == &classes.pairOf(*first))
      classes.add(place, *first);
}

//===----------------------------------------------------------------------===//
// Bodies and calls
//===----------------------------------------------------------------------===//

void ClassCollector::visitIf(Operator op) {
  for (Region &region : op->getRegions())
    for (auto [place, result] :
         llvm::zip(region.front().back().getOpOperands(), op->getResults()))
      tie(place, result);
}

static constexpr llvm::StringLiteral counted =
    "Loop has its trip count and iteration numbers in i64";

void ClassCollector::visitLoop(Operator op) {
  Block &body = op->getRegion(0).front();
  auto ends = body.back().getOpOperands();
  auto carried =
      op->getOpOperands().drop_front(std::min<size_t>(2, op.numInputs()));
  if (op.numInputs() > 0)
    keep(op->getOpOperand(0), counted);
  if (body.getNumArguments() > 0)
    keep(body.getArgument(0), counted);
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (i + 1 < ends.size())
      tie(ends[i + 1], result);
    if (i < carried.size() && i + 2 < body.getNumArguments()) {
      tie(carried[i], body.getArgument(i + 2));
      tie(carried[i], result);
    }
  }
}

void ClassCollector::visitScan(Operator op) {
  if (op.since() < 9)
    return keepAll(op, "Scan of opset 8 is not looked into");
  Block &body = op->getRegion(0).front();
  auto ends = body.back().getOpOperands();
  int64_t states = op.numInputs() - op.getInt("num_scan_inputs", 0);
  for (auto [i, place] : llvm::enumerate(op->getOpOperands()))
    if (i < body.getNumArguments())
      tie(place, body.getArgument(i));
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (i < ends.size())
      tie(ends[i], result);
    if (int64_t(i) < states && i < op.numInputs())
      tie(op->getOpOperand(i), result);
  }
}

bool ClassCollector::isPassedOn(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    return owner != calls.mainGraph() && calls.find(owner);
  }
  return calls.calledBy(value.getDefiningOp()) != nullptr;
}

static constexpr llvm::StringLiteral isCalledWithSeveral =
    "the function is called with values of several types";

void ClassCollector::visitCall(Operator op, Operation *callee) {
  Block &body = callee->getRegion(0).front();
  if (llvm::any_of(body.getArguments(),
                   [&](Value argument) { return flow.isMixed(argument); }))
    return keepAll(op, isCalledWithSeveral);
  for (auto [place, argument] :
       llvm::zip(op->getOpOperands(), body.getArguments()))
    if (!isAbsent(place.get()))
      tie(place, argument);
  for (auto [place, result] :
       llvm::zip(body.back().getOpOperands(), op->getResults()))
    if (!isa<NoneType>(result.getType()))
      tie(place, result);
}

/// An output of a graph has its name there: it must be made there, with the
/// type that is asked for, or a Cast of that name could not take its place.
void ClassCollector::visitEnd(Block &block) {
  llvm::DenseMap<Value, OpOperand *> seen;
  for (OpOperand &place : block.back().getOpOperands()) {
    Value value = place.get();
    const TypePair *pair = classes.pairOf(value.getType());
    if (!pair)
      continue;
    Operation *maker = value.getDefiningOp();
    bool isLocal = maker && maker->getBlock() == &block;
    if (!isLocal && isa_and_nonnull<OnnxConstantOp>(maker))
      keep(place, "it is a constant of the graph around");
    else if (!isLocal && classes.of(place))
      classes.join(*classes.of(place), classes.ofOrNew(value, *pair));
    auto [first, isNew] = seen.try_emplace(value, &place);
    if (!isNew && classes.of(place) && classes.of(*first->second))
      classes.join(*classes.of(place), *classes.of(*first->second));
  }
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

/// Sequences and optional values cannot be cast.
static bool isList(Type type) {
  return isa<OnnxSequenceType, OnnxOptionalType, OnnxMapType, OnnxSparseType>(
      type);
}

static constexpr llvm::StringLiteral hasNoCast =
    "its graph imports no opset of ai.onnx, which has Cast";

std::string ClassCollector::whyKept(Operator op) const {
  if (!importedOpset(op.getOperation(), ""))
    return hasNoCast.str();
  if (op.hasReferences() && op.numGraphs() != 0)
    return isParameter.str();
  if (llvm::any_of(op->getOperands(),
                   [&](Value operand) { return flow.isMixed(operand); }))
    return isCalledWithSeveral.str();
  constexpr auto isUnknown = [](Type type) {
    return isa<OnnxUnknownType>(type);
  };
  if (op.numGraphs() == 0 && (llvm::any_of(op->getOperandTypes(), isUnknown) ||
                              llvm::any_of(op->getResultTypes(), isUnknown)))
    return "a type of its operands or results is not known";
  if (llvm::any_of(op->getOperandTypes(), isList) ||
      llvm::any_of(op->getResultTypes(), isList))
    return "sequences and optional values have no Cast";
  return options.whyKept ? options.whyKept(op.getOperation()) : "";
}

void ClassCollector::visit(Operator op) {
  if (std::string why = whyKept(op); !why.empty())
    return keepAll(op, why);
  if (const CallGraph::Function *callee = calls.calledBy(op.getOperation()))
    return llvm::is_contained(calls.calleesFirst(), callee)
               ? visitCall(op, callee->op)
               : keepAll(op, "functions call each other");
  const onnx::OpSchema *schema = op.schema();
  if (!schema)
    return keepAll(op, "nothing states which types the operator takes");
  if (op.is("If"))
    return visitIf(op);
  if (op.is("Loop"))
    return visitLoop(op);
  if (op.is("Scan"))
    return visitScan(op);
  if (op.numGraphs() != 0)
    return keepAll(op, "its body is not looked into");
  visitPlain(op, *schema);
}

void ClassCollector::visitFunction(Operation *function) {
  visited.push_back(function);
  bool isMain = function == calls.mainGraph();
  Block &block = function->getRegion(0).front();
  if (!importedOpset(function, ""))
    keepEnds(block, hasNoCast);
  for (Value argument : block.getArguments())
    if (isMain) {
      if (const TypePair *pair = classes.pairOf(argument.getType()))
        classes.ofOrNew(argument, *pair);
      if (!options.convertsInterface)
        keep(argument, "");
      else if (options.whyFixed)
        if (std::string why = options.whyFixed(argument); !why.empty())
          keep(argument, why);
    }
  for (OpOperand &place : block.back().getOpOperands())
    if (isMain) {
      if (const TypePair *pair = classes.pairOf(place.get().getType()))
        classes.add(place, classes.make(*pair));
      if (!options.convertsInterface)
        keep(place, "");
    }
  function->walk([&](Operation *op) {
    if (Operator node = Operator::from(op))
      visit(node);
  });
}

void ClassCollector::run() {
  flow.run();
  visitFunction(calls.mainGraph());
  for (const CallGraph::Function *function : calls.calleesFirst())
    visitFunction(function->op);
  for (Operation *function : visited)
    function->walk([&](Block *block) { visitEnd(*block); });
}
