//===- GraphExport.cpp - The main graph as a function of DML --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/NodeLabel.h"
#include <utility>

#include "onnxfold/dml/export/Helpers.h"
#include "onnxfold/dml/export/internal/ComparedValues.h"
#include "onnxfold/dml/export/internal/Expansion.h"
#include "onnxfold/dml/export/internal/GraphExport.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace onnxfold;
using namespace onnxfold::dml;
using namespace mlir;

/// Constants of at most so many values stand in the script.
constexpr int64_t mostInline = 16;

/// skl2onnx names each graph by a random number.
static bool isRandomName(StringRef name) {
  return name.size() >= 32 && llvm::all_of(name, [](char c) {
           return llvm::isHexDigit(c) || c == '-';
         });
}

GraphExport::GraphExport(FunctionOpInterface function, StringRef graphName,
                         const KnownTypes &types, const MovedPorts &moved)
    : function(function), types(types), moved(moved),
      wordLists(function.getFunctionBody().front(), types),
      compared(comparedValues(function.getFunctionBody().front(), types)),
      graphName(isRandomName(graphName) ? "" : graphName.str()) {
  for (StringRef helper : helperNames())
    names.reserve(helper);
  names.reserve("batch");
  names.reserve("frames");
}

void GraphExport::run() {
  functionName = names.make(graphName, "model");
  findBatch();
  addInputs();
  nameResults();
  lowerNodes(function.getFunctionBody().front());
  addResults();
  if (!refusals.empty())
    return;
  functions.push_back(graphFunction());
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// batchDim for those that are not known.
static Shape sizesOf(RankedTensorType type) {
  Shape dims;
  for (int64_t size : type.getShape())
    dims.push_back(ShapedType::isDynamic(size) ? batchDim : size);
  return dims;
}

/// Sizes, and the names of those that are not known.
Shape GraphExport::dimsOf(Value value,
                          llvm::SmallVectorImpl<std::string> &names) {
  auto type = cast<RankedTensorType>(types.typeOf(value));
  onnx::TypeProto proto; // has the names
  if (!type.hasStaticShape())
    types.fill(value, proto);
  for (auto [i, size] : llvm::enumerate(type.getShape()))
    names.push_back(ShapedType::isDynamic(size) && proto.has_tensor_type() &&
                            int(i) < proto.tensor_type().shape().dim_size()
                        ? proto.tensor_type().shape().dim(i).dim_param()
                        : "");
  return sizesOf(type);
}

/// The name of dimension 0 of the first input that has one.
void GraphExport::findBatch() {
  for (Value argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(types.typeOf(argument));
    if (!type || type.getRank() == 0 || !type.isDynamicDim(0))
      continue;
    llvm::SmallVector<std::string> dimNames;
    dimsOf(argument, dimNames);
    if (batchName.empty())
      batchName = dimNames[0];
  }
}

/// Floats of any width, as the doubles that are their numbers, too.
static bool isSupported(DataType type) {
  return isNumeric(type) || type == DataType::Bool;
}

std::optional<DmlRefusal> GraphExport::problemOf(Value value) {
  if (matrices.contains(value))
    return std::nullopt;
  std::optional<DmlRefusal> found = findProblem(value);
  if (!found)
    matrices.insert(value);
  return found;
}

std::optional<DmlRefusal> GraphExport::findProblem(Value value) {
  std::string name = "'" + valueName(value).str() + "'";
  auto type = dyn_cast<RankedTensorType>(types.typeOf(value));
  if (!type && !isa<ShapedType, OnnxUnknownType>(types.typeOf(value)))
    return DmlRefusal{"", "", name + " is not a tensor", ""};
  if (!type)
    return DmlRefusal{"", "", name + " has no known rank, or is not a tensor",
                      "fix the inputs with " + setting("input-shape") + " or " +
                          setting("bind")};
  DataType element = toDataType(type.getElementType());
  if (!isSupported(element) &&
      !(element == DataType::String && !words(value).empty()))
    return DmlRefusal{"", "",
                      name + " has elements of " + dml::typeText(element) +
                          ", which doubles cannot stand for",
                      ""};
  llvm::SmallVector<std::string> dimNames;
  Shape dims = dimsOf(value, dimNames);
  if (llvm::is_contained(dims, 0) && llvm::is_contained(dims, batchDim))
    return DmlRefusal{"", "", name + " is empty",
                      "fix it with " + setting("dim")};
  for (auto [i, d] : llvm::enumerate(dims)) {
    if (d != batchDim ||
        (i == 0 && !batchName.empty() && dimNames[0] == batchName))
      continue;
    std::string which = ("dimension " + llvm::Twine(i) + " of " + name).str();
    if (dimNames[i].empty() || dimNames[i][0] == '?')
      return DmlRefusal{"", "", which + " is not known",
                        "fix the inputs with " + setting("input-shape") +
                            " or " + setting("bind")};
    return DmlRefusal{"", "",
                      which + " is '" + dimNames[i] +
                          "', only one free batch size as dimension 0 is "
                          "possible",
                      setting("dim", dimNames[i] + ":N")};
  }
  if (dims.size() > 1 && naturalSizes(dims).second.count > INT32_MAX)
    return DmlRefusal{"", "", name + " has more than 2^31-1 columns", ""};
  return std::nullopt;
}

/// The places of its strings in their list.
static Elements numbersOf(OnnxConstantOp constant, WordLists &lists) {
  Elements given = fromAttribute(constant.getValue());
  std::vector<int64_t> numbers;
  for (StringRef text : given.values<StringRef>())
    numbers.push_back(lists.numberOf(constant.getResult(), text).value_or(-1));
  return Elements::fromValues<int64_t>(given.shape(), numbers);
}

const Tensor &GraphExport::tensor(Value value) {
  std::unique_ptr<Tensor> &slot = tensors[value];
  if (slot)
    return *slot;
  slot = std::make_unique<Tensor>();
  Tensor &made = *slot;
  auto type = cast<RankedTensorType>(types.typeOf(value));
  made.dims = sizesOf(type);
  made.type = toDataType(type.getElementType());
  if (auto constant = value.getDefiningOp<OnnxConstantOp>())
    made.constant = made.type == DataType::String
                        ? numbersOf(constant, wordLists)
                        : fromAttribute(constant.getValue());
  else if (auto it = resultNames.find(value); it != resultNames.end())
    made.name = it->second;
  else
    made.name = names.make(valueName(value));
  return made;
}

/// "0.5 -1 NaN", as Java reads numbers.
static std::string constantText(const Elements &values) {
  return llvm::join(llvm::map_range(values.values<double>(),
                                    [](double value) {
                                      std::string text = numberText(value);
                                      if (StringRef(text).ends_with("Inf"))
                                        text += "inity";
                                      return text;
                                    }),
                    " ");
}

/// A variable: a matrix of the script, or a parameter of the function.
Expr GraphExport::nameConstant(StringRef wanted, StringRef comment,
                               const Elements &values, int64_t rows,
                               int64_t columns) {
  std::string name = names.make(wanted, "constant");
  auto inScript = [&](Expr literal) {
    constants.push_back(Statement::assign(
        name, std::move(literal), name == comment ? StringRef() : comment));
  };
  if (values.isSplat() || values.size() == 1)
    inScript(matrix(values.value<double>(), rows, columns));
  else if (values.size() <= mostInline)
    inScript(matrix(Expr::text(constantText(values)), rows, columns));
  else
    weights.push_back({name, values, rows, columns});
  return Expr::name(name);
}

Expr GraphExport::addConstant(StringRef hint, const Elements &values,
                              int64_t rows, int64_t columns) {
  return nameConstant(hint, "", values, rows, columns);
}

Expr GraphExport::matrixOf(Value value) {
  tensor(value);
  Tensor &known = *tensors[value];
  if (known.isEmpty())
    problem = "'" + valueName(value).str() + "' is empty";
  if (known.constant && known.name.empty()) {
    if (int64_t i = firstInexact(known.constant); i >= 0)
      problem = ("element " + llvm::Twine(i) + " of the constant '" +
                 valueName(value) + "' is an integer beyond 2^53")
                    .str();
    auto [rows, columns] = naturalSizes(known.dims);
    Expr name =
        nameConstant(valueName(value), valueName(value),
                     asDoubles(known.constant), rows.count, columns.count);
    known.name = (*name).text.str();
  }
  return Expr::name(known.name);
}

void GraphExport::add(Statement statement) {
  body.push_back(std::move(statement));
}

std::string GraphExport::makeName(StringRef wanted) {
  return names.make(wanted);
}

void GraphExport::use(StringRef helper) { addHelper(helper, helpers); }

llvm::ArrayRef<std::string> GraphExport::words(Value value) {
  return wordLists.of(value);
}

std::optional<int64_t> GraphExport::numberOfWord(Value value, StringRef word) {
  return wordLists.numberOf(value, word);
}

Expr GraphExport::batchSize() {
  if (batchVariable.empty())
    for (Value argument : function.getArguments()) {
      const Tensor &input = tensor(argument);
      if (input.isStatic() || isUnreadText(argument))
        continue;
      batchVariable = names.make("batch_size");
      Expr size =
          call(input.rank() == 1 ? "length" : "nrow", {Expr::name(input.name)});
      constants.insert(constants.begin(),
                       Statement::assign(batchVariable, size));
      break;
    }
  return Expr::name(batchVariable);
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

std::string dml::operatorName(Operator op) {
  return op.domain().empty() ? op.opType().str()
                             : (op.domain() + "." + op.opType()).str();
}

/// What stands in the comment above the statements of a node.
static std::string commentOf(Operator op) {
  if (std::optional<Origin> origin = originOf(op))
    return origin->op + " " + origin->node + ": " + operatorName(op);
  return operatorName(op) + " " + nodeLabel(op).str();
}

void GraphExport::refuse(Operator op, const Lowered &why) {
  DmlRefusal refusal{nodeLabel(op).str(), operatorName(op), why.reason(),
                     why.help(), ""};
  if (std::optional<Origin> origin = originOf(op)) {
    refusal.inner = refusal.op + " '" + refusal.node + "'";
    refusal.op = origin->op;
    refusal.node = origin->node;
    if (!origin->reason.empty())
      refusal = {origin->node, origin->op, origin->reason, origin->help, ""};
  }
  if (refusals.empty() || refusals.back() != refusal)
    refusals.push_back(std::move(refusal));
}

/// Why a value that the node reads or makes is no matrix.
std::optional<DmlRefusal> GraphExport::problemOfNode(Operator op) {
  llvm::SmallVector<Value> values;
  for (unsigned i = 0; i < op.numInputs(); ++i)
    if (op.hasInput(i))
      values.push_back(op.input(i));
  for (Value result : op->getResults())
    if (!result.use_empty())
      values.push_back(result);
  for (Value value : values)
    if (std::optional<DmlRefusal> bad = problemOf(value))
      return bad;
  return std::nullopt;
}

/// Numbers of words mean nothing to a node that takes them for its own, and two
/// words that no list has may be different.
Lowered GraphExport::checkWords(Operator op) {
  if (wordLists.empty())
    return Lowered::done();
  auto hasWords = [&](Value value) { return !words(value).empty(); };
  auto isOpen = [&](Value value) {
    return wordLists.areOpen(value) && !value.getDefiningOp<OnnxConstantOp>();
  };
  if (op.is("Equal") && isOpen(op.input(0)) && isOpen(op.input(1)))
    return Lowered::refused("it compares strings that the model does not list");
  if (handlesWords(op) || !(llvm::any_of(op->getOperands(), hasWords) ||
                            llvm::any_of(op->getResults(), hasWords)))
    return Lowered::done();
  return Lowered::refused("its strings are not known");
}

/// Operators of ai.onnx.ml take a list for one sample, but for those that look at
/// each element alone.
static bool takesListAsSample(Operator op) {
  constexpr StringRef byElement[] = {"ArrayFeatureExtractor", "Binarizer",
                                     "LabelEncoder", "OneHotEncoder"};
  return op.domain() == "ai.onnx.ml" && op.numInputs() != 0 && op.hasInput(0) &&
         !llvm::is_contained(byElement, op.opType());
}

void GraphExport::lowerNode(Operator op) {
  if (op->use_empty())
    return; // what it makes has no elements, and is a constant
  std::string reason;
  Lowering lowering = allLowerings().lookup(op, reason);
  if (!lowering) {
    refused.push_back({op, "", ""});
    return refuse(op, Lowered::refused(reason));
  }
  if (std::optional<DmlRefusal> bad = problemOfNode(op)) {
    // Of unknown inputs everything else is unknown, too.
    if (!hasUnknownInputs)
      refuse(op, Lowered::refused(bad->reason, bad->help));
    return;
  }
  if (takesListAsSample(op))
    if (const Tensor &x = tensor(op.input(0)); x.rank() == 1 && !x.isStatic())
      return refuse(op, Lowered::refusedBatch(
                            "the features of one sample are the free batch"));
  if (Lowered wrong = checkWords(op); !wrong.isDone())
    return refuse(op, wrong);
  size_t before = body.size();
  add(Statement::line(commentOf(op)));
  LoweringContext cx(op, *this);
  std::string around = std::exchange(problem, "");
  Lowered lowered = lowering(cx);
  if (lowered.isDone() && !problem.empty())
    refuse(op, Lowered::refused(problem));
  problem = std::move(around);
  if (lowered.isDone())
    return dropCopy(op, before);
  refused.push_back({op, lowered.reason(), lowered.help()});
  refuse(op, lowered);
}

static bool isCopy(const Statement &one) {
  return one.kind == Statement::Kind::Assign && one.target.isName() &&
         one.value.isName();
}

/// The last statement of a node may give a matrix another name only. That of a
/// variable of the node becomes its name. A node that leaves the matrix as it is,
/// such as a Reshape of inner dimensions, needs no statement: what reads its
/// result reads the matrix by its own name. That is not so in graphs of nodes,
/// whose variables change, nor for outputs.
void GraphExport::dropCopy(Operator op, size_t before) {
  Value result = op->getResult(0);
  if (body.size() < before + 2 || !isCopy(body.back()))
    return;
  Statement copy = body.back();
  if (body.size() > before + 2) {
    Statement &maker = body[body.size() - 2];
    if (maker.kind != Statement::Kind::Assign || !maker.target.isName() ||
        (*maker.target).text != (*copy.value).text)
      return;
    maker.target = copy.target;
    maker.comment = copy.comment;
    body.pop_back();
  } else if (op->getBlock() == &function.getFunctionBody().front() &&
             !resultNames.contains(result) &&
             (*copy.target).text == tensor(result).name) {
    tensors[result]->name = (*copy.value).text.str();
    body.resize(before);
  }
}

bool GraphExport::lowerNodes(Block &graph) {
  size_t before = refusals.size();
  for (Operation &op : graph)
    // What the importer adds to keep values alive has no results.
    if (Operator node = Operator::from(&op); node && node.numOutputs() != 0)
      lowerNode(node);
  return refusals.size() == before;
}

//===----------------------------------------------------------------------===//
// Graphs of nodes
//===----------------------------------------------------------------------===//

Body GraphExport::collect(llvm::function_ref<void()> write) {
  Body around = std::exchange(body, {});
  write();
  return std::exchange(body, std::move(around));
}

Lowered GraphExport::check(Value value) {
  if (std::optional<DmlRefusal> bad = problemOf(value))
    return Lowered::refused(bad->reason, bad->help);
  return Lowered::done();
}

void GraphExport::nameArgument(Value argument, StringRef name) {
  resultNames[argument] = name.str();
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

Shape GraphExport::Port::modelDims() const {
  Shape all = dims;
  std::rotate(all.begin(), all.begin() + (batchAxis ? 1 : 0),
              all.begin() + (batchAxis ? batchAxis + 1 : 0));
  return all;
}

static int64_t axisIn(const std::map<unsigned, int64_t> &moved, unsigned i) {
  auto found = moved.find(i);
  return found == moved.end() ? 0 : found->second;
}

GraphExport::Port GraphExport::portOf(Value value, StringRef onnxName,
                                      int64_t batchAxis) {
  const Tensor &known = tensor(value);
  Port port{known.name, onnxName.str(),    known.dims, known.type,
            "",         words(value).vec()};
  port.batchAxis = batchAxis;
  std::string text;
  llvm::raw_string_ostream out(text);
  out << onnxName << ": " << typeText(known.type) << " (";
  llvm::interleaveComma(port.modelDims(), out, [&](int64_t d) {
    if (d == batchDim)
      out << batchName;
    else
      out << d;
  });
  out << ')';
  if (batchAxis != 0)
    out << ", rows are '" << batchName << "'";
  if (!port.words.empty())
    out << ", the numbers of " << llvm::join(port.words, ", ");
  port.text = std::move(text);
  return port;
}

/// A column, or a row, as the matrix that stands for a list.
static Expr asList(Expr given, Size rows, int64_t columns) {
  Expr count = rows.perBatch ? call("length", {given}) : Expr(rows.count);
  return matrix(std::move(given), std::move(count), columns);
}

/// A column of strings that a column transformer drops.
bool GraphExport::isUnreadText(Value argument) {
  return argument.use_empty() &&
         isa<RankedTensorType>(types.typeOf(argument)) &&
         wordLists.areOpen(argument) && words(argument).empty();
}

void GraphExport::addInputs() {
  for (auto [i, argument] : llvm::enumerate(function.getArguments())) {
    bool isUnread = isUnreadText(argument);
    if (std::optional<DmlRefusal> bad =
            isUnread ? std::nullopt : problemOf(argument)) {
      hasUnknownInputs = true;
      bad->node = valueName(argument).str();
      bad->op = "input";
      refusals.push_back(*bad);
      continue;
    }
    Port port = portOf(argument, valueName(argument), axisIn(moved.inputs, i));
    port.isUnread = isUnread;
    port.isEmpty = isUnread || tensor(argument).isEmpty();
    if (port.dims.size() == 1 && !port.isEmpty && !argument.use_empty()) {
      auto [rows, columns] = naturalSizes(port.dims);
      add(Statement::assign(
          port.name, asList(Expr::name(port.name), rows, columns.count)));
    }
    inputs.push_back(std::move(port));
  }
}

static StringRef resultName(FunctionOpInterface function, unsigned i) {
  auto name = function.getResultAttrOfType<StringAttr>(i, nameAttrName);
  return name ? name.getValue() : StringRef();
}

/// Outputs of the graph are named first: their names are the interface.
void GraphExport::nameResults() {
  Operation *end = function.getFunctionBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(end->getOperands()))
    if (Operator::from(value.getDefiningOp() ? value.getDefiningOp() : end) &&
        !resultNames.contains(value))
      resultNames[value] = names.make(resultName(function, i));
}

void GraphExport::addResults() {
  Operation *end = function.getFunctionBody().front().getTerminator();
  llvm::SmallDenseSet<Value> seen;
  for (auto [i, value] : llvm::enumerate(end->getOperands())) {
    StringRef onnxName = resultName(function, i);
    if (std::optional<DmlRefusal> bad = problemOf(value)) {
      if (!hasUnknownInputs)
        refusals.push_back({onnxName.str(), "output", bad->reason, bad->help});
      continue;
    }
    if (wordLists.areOpen(value))
      refusals.push_back({onnxName.str(), "output",
                          "its strings may be those of an input, which the "
                          "model does not list",
                          ""});
    Port port = portOf(value, onnxName, axisIn(moved.outputs, i));
    if (!resultNames.contains(value) || !seen.insert(value).second) {
      port.name = names.make(onnxName);
      problem.clear();
      port.isEmpty = tensor(value).isEmpty();
      auto [rows, columns] = naturalSizes(tensor(value).dims);
      add(Statement::assign(port.name,
                            port.isEmpty ? matrix(0, rows.count, columns.count)
                                         : matrixOf(value)));
      if (!problem.empty())
        refusals.push_back({onnxName.str(), "output", problem, ""});
    }
    outputs.push_back(std::move(port));
  }
  // Once nothing reads them any more.
  for (const Port &port : outputs)
    if (port.dims.size() == 1 && port.dims[0] > 1)
      add(Statement::assign(port.name,
                            matrix(Expr::name(port.name), port.dims[0], 1)));
}

Function GraphExport::graphFunction() {
  Function result;
  result.name = functionName;
  result.comment = "ONNX graph" + (graphName.empty() ? "" : " " + graphName);
  for (const Port &port : inputs) {
    result.comment += "\ninput " + port.text;
    if (port.isUnread)
      result.comment += ", which is not read";
    else if (port.isEmpty)
      result.comment += ", which has no elements and is not read";
    else
      result.parameters.push_back({"matrix[double]", port.name});
  }
  for (const Weight &weight : weights)
    result.parameters.push_back({"matrix[double]", weight.name});
  for (const Port &port : outputs) {
    result.comment += "\noutput " + port.text;
    result.results.push_back({"matrix[double]", port.name});
  }
  result.body = std::move(constants);
  result.body.reserve(result.body.size() + body.size());
  llvm::move(body, std::back_inserter(result.body));
  return result;
}
