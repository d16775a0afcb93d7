//===- GraphCut.cpp - A part of a model as a model ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/specialize/GraphCut.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/NearNames.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

using ValuesByName = llvm::StringMap<Value>;

static ValuesByName valuesOfMainGraph(ModuleOp module) {
  ValuesByName values;
  Block &block = mainBlock(module);
  for (Value argument : block.getArguments())
    values.try_emplace(valueName(argument), argument);
  for (Operation &op : block)
    for (Value result : op.getResults())
      if (StringRef name = valueName(result); !name.empty())
        values.try_emplace(name, result);
  return values;
}

static bool hasValueOf(Block &block, StringRef name) {
  auto has = [&](Value value) { return valueName(value) == name; };
  return llvm::any_of(block.getArguments(), has) ||
         llvm::any_of(block, [&](Operation &op) {
           return llvm::any_of(op.getResults(), has);
         });
}

/// The place of a value of this name outside of the main graph: "in the body of
/// node 'loop' (Loop)", "in the function 'Swish'"; else "".
static std::string placeInside(ModuleOp module, StringRef name) {
  Block &main = mainBlock(module);
  for (auto function : module.getOps<FunctionOpInterface>()) {
    Operation *found = nullptr;
    function->walk([&](Block *block) {
      if (block == &main || !hasValueOf(*block, name))
        return WalkResult::advance();
      found = block->getParentOp();
      return WalkResult::interrupt();
    });
    if (!found)
      continue;
    if (Operation *node = main.findAncestorOpInBlock(*found))
      return "in the body of " + nodeText(node);
    auto title = function->getAttrOfType<StringAttr>(nameAttrName);
    return ("in the function '" + (title ? title.getValue() : StringRef()) +
            "'")
        .str();
  }
  return "";
}

static std::string nearValues(const ValuesByName &values, StringRef wanted) {
  return nearNames(llvm::to_vector(values.keys()), wanted);
}

/// The values that `texts` name, each once.
static llvm::Error lookUp(ModuleOp module, const ValuesByName &values,
                          StringRef flag, ArrayRef<std::string> texts,
                          std::vector<CutValue> &found) {
  llvm::StringSet<> seen;
  for (StringRef text : texts) {
    SmallVector<StringRef> names{text};
    if (!values.contains(text)) { // names may have commas
      names.clear();
      text.split(names, ',');
    }
    for (StringRef name : names) {
      if (!seen.insert(name).second)
        continue;
      if (Value value = values.lookup(name)) {
        found.push_back({name.str(), value, false, value.getType(), {}});
        continue;
      }
      std::string place = placeInside(module, name);
      if (!place.empty())
        return ModelFault()
            .option(flag)
            .is("'" + name + "', a value " + place)
            .expected("one of the main graph");
      return badOption(flag, name,
                       "the name of a value of the main graph" +
                           nearValues(values, name));
    }
  }
  return llvm::Error::success();
}

llvm::Expected<GraphCut> GraphCut::find(ModuleOp module,
                                        const CutNames &names) {
  GraphCut cut(module, names);
  ValuesByName values = valuesOfMainGraph(module);
  if (llvm::Error error =
          lookUp(module, values, setting("inputs"), names.inputs, cut.inputs))
    return error;
  if (llvm::Error error = lookUp(module, values, setting("outputs"),
                                 names.outputs, cut.outputs))
    return error;
  for (CutValue &input : cut.inputs) {
    input.isNew = !isa<BlockArgument>(input.value);
    Operation *maker = input.value.getDefiningOp();
    if (Operator op = maker ? Operator::from(maker) : Operator();
        op && op.domain() == "onnx-fold")
      return ModelFault()
          .option(setting("inputs"))
          .is("'" + input.name +
              "', an initializer that is sparse or of an unknown type")
          .expected("another value");
  }
  llvm::DenseSet<Value> results;
  results.insert_range(mainBlock(module).getTerminator()->getOperands());
  for (CutValue &output : cut.outputs)
    output.isNew = !results.contains(output.value);
  return cut;
}

bool GraphCut::hasNew() const {
  auto isNew = [](const CutValue &value) { return value.isNew; };
  return llvm::any_of(inputs, isNew) || llvm::any_of(outputs, isNew);
}

//===----------------------------------------------------------------------===//
// The cut
//===----------------------------------------------------------------------===//

void GraphCut::setOutputs() {
  FunctionOpInterface function = mainGraph(module);
  Operation *end = mainBlock(module).getTerminator();
  Builder builder(function->getContext());
  SmallVector<Value> values;
  SmallVector<DictionaryAttr> attributes;
  for (const CutValue &output : outputs) {
    auto before = llvm::find(end->getOperands(), output.value);
    DictionaryAttr own;
    if (before != end->getOperands().end())
      own = function.getResultAttrDict(before - end->operand_begin());
    attributes.push_back(
        own ? own
            : builder.getDictionaryAttr(builder.getNamedAttr(
                  nameAttrName, builder.getStringAttr(output.name))));
    values.push_back(output.value);
  }
  end->setOperands(values);
  function.removeResAttrsAttr();
  updateType(function);
  function.setAllResultAttrs(attributes);
}

/// An argument behind those that are there takes the place of the value.
void GraphCut::addInput(const CutValue &input) {
  FunctionOpInterface function = mainGraph(module);
  Builder builder(function->getContext());
  unsigned last = function.getNumArguments();
  DictionaryAttr attributes;
  if (auto before = dyn_cast<BlockArgument>(input.value)) {
    attributes = function.getArgAttrDict(before.getArgNumber());
  } else {
    NamedAttrList list;
    list.append(nameAttrName, builder.getStringAttr(input.name));
    auto hasName = [](const std::string &name) { return !name.empty(); };
    if (llvm::any_of(input.dimensions, hasName)) {
      SmallVector<StringRef> names(input.dimensions.begin(),
                                   input.dimensions.end());
      list.append(dimsAttrName, builder.getStrArrayAttr(names));
    }
    attributes = list.getDictionary(function->getContext());
  }
  [[maybe_unused]] LogicalResult done =
      function.insertArgument(last, input.type, attributes, function.getLoc());
  Value value = input.value;
  value.replaceAllUsesWith(function.getArgument(last));
}

/// The importer's reader of values that no node reads (Import.h).
static Operation *readerOfKept(Block &block) {
  for (Operation &op : block)
    if (Operator node = Operator::from(&op);
        node && node.domain() == "onnx-fold" && node.opType() == "Keep")
      return &op;
  return nullptr;
}

/// Erases what no output needs, from the bottom up. The reader of kept values
/// reads those that are left.
void GraphCut::eraseUnneeded() {
  Block &block = mainBlock(module);
  Operation *reader = readerOfKept(block);
  SmallVector<std::pair<Operation *, Value>> kept;
  if (reader) {
    for (Value value : reader->getOperands())
      if (Operation *maker = value.getDefiningOp())
        kept.push_back({maker, value});
    reader->setOperands({});
  }
  llvm::DenseSet<Operation *> erased;
  SmallVector<Operation *> operations;
  for (Operation &op : block.without_terminator())
    operations.push_back(&op);
  for (Operation *op : llvm::reverse(operations)) {
    if (!op->use_empty() || op == reader)
      continue;
    Operator node = Operator::from(op);
    auto constant = dyn_cast<OnnxConstantOp>(op);
    if (node && node.node())
      erasedOperators.push_back({node.domain().str(), node.opType().str()});
    else if (constant && constant.getNode())
      erasedOperators.push_back({"", "Constant"});
    erased.insert(op);
    op->erase();
  }
  if (!reader)
    return;
  SmallVector<Value> left;
  for (auto [maker, value] : kept)
    if (!erased.contains(maker))
      left.push_back(value);
  if (left.empty())
    reader->erase();
  else
    reader->setOperands(left);
}

/// A node that is needed for another result gives the value of an input, too:
/// that gets another name.
void GraphCut::renameTaken() {
  llvm::StringSet<> taken;
  for (const CutValue &input : inputs)
    taken.insert(input.name);
  llvm::StringSet<> all;
  for (Operation &op : mainBlock(module)) {
    Operator node = Operator::from(&op);
    if (!node || !llvm::any_of(op.getResults(), [&](Value result) {
          return taken.contains(valueName(result));
        }))
      continue;
    if (all.empty())
      module.walk([&](Block *block) {
        for (Value argument : block->getArguments())
          all.insert(valueName(argument));
        for (Operation &other : *block)
          for (Value result : other.getResults())
            all.insert(valueName(result));
      });
    SmallVector<std::string> names;
    for (unsigned i = 0; i < node.numOutputs(); ++i) {
      std::string name = node.outputName(i).str();
      if (taken.contains(name)) {
        std::string base = name;
        for (unsigned n = 1;
             !all.insert(name = base + "_" + std::to_string(n)).second; ++n) {
        }
      }
      names.push_back(name);
    }
    SmallVector<StringRef> texts(names.begin(), names.end());
    node.setOutputNames(texts);
    renamed.insert(&op);
  }
}

/// A node that reads a value: "node 'a' (Add)".
static std::string aReaderOf(ModuleOp module, Value value) {
  for (Operation *user : value.getUsers())
    if (Operation *node = mainBlock(module).findAncestorOpInBlock(*user))
      if (Operator::from(node))
        return nodeText(node) + " reads it";
  return "it is an output";
}

/// Erases those of the `numBefore` inputs of the model that nothing reads.
llvm::Error GraphCut::eraseInputs(unsigned numBefore, ArrayRef<bool> wasRead) {
  FunctionOpInterface function = mainGraph(module);
  for (unsigned i = numBefore; i-- != 0;) {
    BlockArgument argument = function.getArgument(i);
    bool isNeeded = !argument.use_empty();
    if (isNeeded && cutsInputs)
      return ModelFault()
          .option(setting("inputs"))
          .says("does not name the")
          .input(valueName(argument))
          .says(", which the outputs need: " + aReaderOf(module, argument) +
                "; expected it, or what is computed from it, among them");
    if (!isNeeded && (cutsInputs || wasRead[i]))
      eraseArgument(function, i);
  }
  return llvm::Error::success();
}

llvm::Error GraphCut::apply(llvm::function_ref<bool(StringRef)> hasDefault) {
  FunctionOpInterface function = mainGraph(module);
  unsigned numBefore = function.getNumArguments();
  SmallVector<bool> wasRead;
  std::vector<CutValue> defaults;
  for (BlockArgument argument : function.getArguments()) {
    wasRead.push_back(!argument.use_empty());
    StringRef name = valueName(argument);
    if (cutsInputs && hasDefault(name) &&
        llvm::none_of(inputs, [&](auto &input) { return input.name == name; }))
      defaults.push_back({name.str(), argument, false, argument.getType(), {}});
  }
  if (cutsOutputs)
    setOutputs();
  for (const CutValue &input : inputs)
    addInput(input);
  for (const CutValue &input : defaults)
    addInput(input);
  eraseUnneeded();
  renameTaken();
  for (size_t i = 0; i != defaults.size(); ++i) {
    unsigned number = function.getNumArguments() - 1 - i;
    if (function.getArgument(number).use_empty())
      eraseArgument(function, number);
  }
  if (llvm::Error error = eraseInputs(numBefore, wasRead))
    return error;
  updateType(function);
  return llvm::Error::success();
}
