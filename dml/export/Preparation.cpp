//===- Preparation.cpp - Changes to a model before it is exported ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/export/internal/Preparation.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// The batch
//===----------------------------------------------------------------------===//

/// The names of the dimensions of an input; "" for those that have none.
static SmallVector<StringRef> namesOfDimensions(FunctionOpInterface graph,
                                                unsigned i, size_t rank) {
  SmallVector<StringRef> names;
  if (auto list = graph.getArgAttrOfType<ArrayAttr>(i, dimsAttrName))
    for (auto name : list.getAsRange<StringAttr>())
      names.push_back(name.getValue());
  names.resize(rank, "");
  return names;
}

/// A name that begins with '?' is that of some exporter for none.
static bool isName(StringRef name) {
  return !name.empty() && !name.starts_with("?");
}

bool dml::nameBatch(ModuleOp module) {
  FunctionOpInterface graph = mainGraph(module);
  SmallVector<unsigned> nameless;
  std::string batch;
  llvm::StringSet<> others;
  for (auto [i, argument] : llvm::enumerate(graph.getArguments())) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.getRank() == 0)
      continue;
    SmallVector<StringRef> names = namesOfDimensions(graph, i, type.getRank());
    others.insert(names.begin() + 1, names.end());
    if (!type.isDynamicDim(0))
      continue;
    if (!isName(names[0]))
      nameless.push_back(i);
    else if (batch.empty())
      batch = names[0].str();
  }
  if (batch.empty())
    batch = others.contains("batch") ? "batch_size" : "batch";
  Builder builder(module.getContext());
  for (unsigned i : nameless) {
    auto type = cast<RankedTensorType>(graph.getArgument(i).getType());
    SmallVector<StringRef> names = namesOfDimensions(graph, i, type.getRank());
    names[0] = batch;
    graph.setArgAttr(i, dimsAttrName, builder.getStrArrayAttr(names));
  }
  return !nameless.empty();
}

//===----------------------------------------------------------------------===//
// ZipMap
//===----------------------------------------------------------------------===//

/// The classes of a ZipMap, in the order of the columns: "0, 1, 2".
static std::string classesOf(Operator zip) {
  if (auto texts = zip.getStrings("classlabels_strings");
      texts && !texts->empty())
    return llvm::join(*texts, ", ");
  std::string all;
  for (int64_t one :
       zip.getInts("classlabels_int64s").value_or(SmallVector<int64_t>()))
    all += (all.empty() ? "" : ", ") + std::to_string(one);
  return all;
}

bool dml::removeZipMaps(ModuleOp module,
                        llvm::function_ref<void(const llvm::Twine &)> say) {
  bool isAny = false;
  for (Operation &op : llvm::make_early_inc_range(mainBlock(module))) {
    Operator zip = Operator::from(&op);
    if (!zip || zip.domain() != "ai.onnx.ml" || zip.opType() != "ZipMap" ||
        !zip.hasInput(0))
      continue;
    say("ZipMap '" + nodeLabel(zip) + "': '" + zip.outputName(0) +
        "' is the tensor of scores, not a dictionary for each row; its "
        "columns are the classes " +
        classesOf(zip));
    op.getResult(0).replaceAllUsesWith(zip.input(0));
    op.erase();
    isAny = true;
  }
  if (isAny)
    updateType(mainGraph(module));
  return isAny;
}

//===----------------------------------------------------------------------===//
// Lists of tensors
//===----------------------------------------------------------------------===//

/// The name, or one that begins with it and that is not taken yet.
static std::string uniqueName(const std::string &name,
                              llvm::StringSet<> &taken) {
  std::string unique = name;
  for (unsigned i = 2; !taken.insert(unique).second; ++i)
    unique = name + "_" + std::to_string(i);
  return unique;
}

static std::string nameOfResult(FunctionOpInterface graph, unsigned i) {
  auto name = graph.getResultAttrOfType<StringAttr>(i, nameAttrName);
  return name ? name.str() : "list";
}

bool dml::splitLists(ModuleOp module,
                     llvm::function_ref<void(const llvm::Twine &)> say) {
  FunctionOpInterface graph = mainGraph(module);
  Operation *end = mainBlock(module).getTerminator();
  Builder builder(module.getContext());
  SmallVector<Value> values;
  SmallVector<DictionaryAttr> attributes;
  llvm::SmallSetVector<Operation *, 4> lists; // one may be several outputs
  llvm::StringSet<> taken;
  for (unsigned i = 0; i < end->getNumOperands(); ++i)
    taken.insert(nameOfResult(graph, i));
  for (auto [i, value] : llvm::enumerate(end->getOperands())) {
    Operation *maker = value.getDefiningOp();
    Operator list = maker ? Operator::from(maker) : Operator();
    if (!list || !list.is("SequenceConstruct")) {
      values.push_back(value);
      attributes.push_back(graph.getResultAttrDict(i));
      continue;
    }
    std::string name = nameOfResult(graph, i);
    SmallVector<std::string> names;
    for (auto [k, part] : llvm::enumerate(maker->getOperands())) {
      names.push_back(uniqueName(name + "_" + std::to_string(k + 1), taken));
      values.push_back(part);
      attributes.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
          nameAttrName, builder.getStringAttr(names.back()))));
    }
    say("SequenceConstruct '" + nodeLabel(list) + "': the list '" + name +
        "' is the outputs " + llvm::join(names, ", "));
    lists.insert(maker);
  }
  if (lists.empty())
    return false;
  end->setOperands(values);
  graph.removeResAttrsAttr();
  updateType(graph);
  graph.setAllResultAttrs(attributes);
  for (Operation *list : lists)
    if (list->use_empty())
      list->erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Gathers from lists
//===----------------------------------------------------------------------===//

/// What a node makes of values one by one, whatever their shape is.
static bool isByValue(Operator op) { return op.isAny({"Cast", "Identity"}); }

/// A Reshape whose result does not depend on the shape of what it reads.
static bool isReshapeOfAny(Operator op) {
  if (!op.is("Reshape") || !op.hasInput(1))
    return false;
  auto shape = op.input(1).getDefiningOp<OnnxConstantOp>();
  return shape &&
         !llvm::is_contained(fromAttribute(shape.getValue()).ints(), 0);
}

/// All that reads the value reads its cells in their order.
static bool isShapeUnused(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    Operator user = Operator::from(use.getOwner());
    return user && use.getOperandNumber() == 0 &&
           (isReshapeOfAny(user) ||
            (isByValue(user) && isShapeUnused(user->getResult(0))));
  });
}

/// The type of what reads the value depends on its new shape.
static void forgetTypes(Value value) {
  for (Operation *user : value.getUsers()) {
    if (!isByValue(Operator::from(user)))
      continue;
    user->getResult(0).setType(OnnxUnknownType::get(user->getContext()));
    forgetTypes(user->getResult(0));
  }
}

static bool isList(Value value, const KnownTypes &types) {
  auto type = dyn_cast<RankedTensorType>(types.typeOf(value));
  return type && type.getRank() == 1;
}

bool dml::gatherFromLists(Region &graph, const KnownTypes &types) {
  SmallVector<Operation *> found;
  graph.walk([&](Operation *op) {
    Operator node = Operator::from(op);
    if (node && node.domain() == "ai.onnx.ml" &&
        node.opType() == "ArrayFeatureExtractor" && node.hasInput(1) &&
        isList(node.input(0), types) && !op->use_empty() &&
        isShapeUnused(op->getResult(0)))
      found.push_back(op);
  });
  for (Operation *op : found) {
    Operator node = Operator::from(op);
    OpBuilder builder(op);
    int64_t latest = latestOpset("");
    int64_t opset = importedOpset(op, "").value_or(latest);
    std::optional<int> since =
        opset <= latest ? resolveSince("", "Gather", opset) : std::nullopt;
    if (!since)
      continue;
    if (!op->getContext()->isMultithreadingEnabled())
      registerOperator(*op->getContext(), "", "Gather");
    Operator gather = Operator::create(
        builder, op->getLoc(), {"", "Gather", *since},
        {node.input(0), node.input(1)}, OnnxUnknownType::get(op->getContext()));
    gather.setNodeName(nodeLabel(node));
    gather.setOutputNames(node.outputName(0));
    op->getResult(0).replaceAllUsesWith(gather->getResult(0));
    forgetTypes(gather->getResult(0));
    op->erase();
  }
  return !found.empty();
}
