//===- InitializerImport.cpp - Initializers as constants ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/AttributeImport.h"
#include "onnxfold/onnx/io/read/GraphImport.h"
#include "onnxfold/onnx/io/read/TensorElements.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Types.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// A value that the file states but that is no constant, as an operator that
/// nobody knows and that has no node.
llvm::Error GraphImporter::addOpaque(const TensorIndex &tensor, Type type) {
  Operator op = Operator::createCustom(
      builder, builder.getUnknownLoc(),
      {"onnx-fold", "NotConstant", /*since=*/1}, {}, {type});
  op.setOutputNames({tensor.name});
  return define(tensor.name, op->getResult(0));
}

static Type typeOf(const TensorIndex &tensor, ArrayRef<int64_t> dims,
                   MLIRContext *context) {
  Type element = elementTypeOf(tensor.dataType, context);
  if (element && llvm::all_of(dims, [](int64_t d) { return d >= 0; }))
    return RankedTensorType::get(dims, element);
  return OnnxUnknownType::get(context);
}

static ModelFault atInitializer(const TensorIndex &tensor) {
  return ModelFault().initializer(tensor.name);
}

/// An initializer that means nothing certain is kept, and what reads it.
llvm::Error GraphImporter::addUnclear(const TensorIndex &tensor,
                                      ArrayRef<int64_t> dims) {
  // The first of several initializers of one name gives the warning.
  if (tensor.isDoubled && !unclear.insert(tensor.name).second)
    return llvm::Error::success();
  warn(atInitializer(tensor)
           .append(tensor.problem->fault())
           .says("; it is kept, and so are the nodes that read it")
           .text());
  if (scope.hasArgument(tensor.name))
    return llvm::Error::success();
  return addOpaque(tensor, tensor.isDoubled
                               ? Type(OnnxUnknownType::get(&state.context))
                               : typeOf(tensor, dims, &state.context));
}

/// The input that it is the default of may have another type.
void GraphImporter::checkDefault(const TensorIndex &tensor) {
  Value argument = scope.lookup(tensor.name);
  Type type = typeOf(tensor, tensor.dims, &state.context);
  if (mergeTypes(argument.getType(), type))
    return;
  warn(atInitializer(tensor)
           .has("another type than the input of its name; neither is believed")
           .text());
  argument.setType(OnnxUnknownType::get(&state.context));
}

llvm::Error GraphImporter::addInitializer(const TensorIndex &tensor,
                                          bool isMain) {
  if (tensor.name.empty()) // nothing can read it: it is not changed
    return llvm::Error::success();
  if (tensor.tolerable)
    return addUnclear(tensor, tensor.dims);
  if (scope.hasArgument(tensor.name)) { // callers may give the value
    checkDefault(tensor);
    return llvm::Error::success();
  }
  Type type = typeOf(tensor, tensor.dims, &state.context);
  if (Type declared = inputTypes.lookup(tensor.name);
      declared && !mergeTypes(declared, type)) {
    warn(atInitializer(tensor)
             .has("another type than the input of its name; it is kept, and so "
                  "are the nodes that read it")
             .text());
    return addOpaque(tensor, OnnxUnknownType::get(&state.context));
  }
  if (isMain && state.index.isTrainingState(tensor.name))
    return addOpaque(tensor, type);
  auto subject = [&] { return atInitializer(tensor); };
  llvm::Expected<Elements> elements =
      loadTensor(state.reader, tensor, state.external, Subject(subject));
  if (!elements)
    return elements.takeError();
  auto constant = OnnxConstantOp::create(
      builder, builder.getUnknownLoc(),
      tensorAttribute(*elements, &state.context), tensor.name);
  return define(tensor.name, constant);
}

llvm::Error GraphImporter::addInitializers(const GraphIndex &graph) {
  bool isMain = &graph == &state.index.mainGraph();
  for (const TensorIndex &tensor : graph.initializers)
    if (llvm::Error error = addInitializer(tensor, isMain))
      return error;
  for (const SparseTensorIndex &sparse : graph.sparseInitializers) {
    const TensorIndex &tensor = sparse.values;
    if (tensor.name.empty())
      continue;
    // Its values are so many, in one dimension.
    llvm::Error error =
        tensor.isDoubled ? addUnclear(tensor, sparse.dims)
        : scope.hasArgument(tensor.name)
            ? llvm::Error::success()
            : addOpaque(tensor, typeOf(tensor, sparse.dims, &state.context));
    if (error)
      return error;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Constant nodes with the name of another value
//===----------------------------------------------------------------------===//

/// A Constant node as an operator of which nothing is known.
Value GraphImporter::keepConstant(StringRef name, int64_t ordinal) {
  Operator kept = Operator::createCustom(
      builder, builder.getUnknownLoc(), {"", "Constant", opsets.lookup("")}, {},
      {OnnxUnknownType::get(&state.context)});
  kept.setNode(ordinal);
  kept.setOutputNames({name});
  return kept->getResult(0);
}

/// Whether the output has the name of an initializer, an input or an earlier
/// Constant. ONNX Runtime makes initializers of Constant nodes, and so runs what
/// the checker refuses. Nothing is known of the value then.
bool GraphImporter::addDoubledConstant(const NodeFields &node,
                                       int64_t ordinal) {
  StringRef name = node.outputs[0].name;
  Value there = name.empty() ? Value() : scope.lookupHere(name);
  if (!there)
    return false;
  Operation *def = there.getDefiningOp();
  auto constant = dyn_cast_or_null<OnnxConstantOp>(def);
  if (def && !constant && !isOpaqueInitializer(def))
    return false;
  warn(atNode(node).text() + " has the name of " +
       (!def                                     ? "an input"
        : constant && constant.getNode()         ? "another Constant"
        : constant || def->getNumOperands() == 0 ? "an initializer"
                                                 : "other values") +
       "; both are kept, and so are the nodes that read it");
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(builder.getBlock());
  SmallVector<Value> sources;
  if (!def)
    sources.push_back(there);
  else if (constant && constant.getNode())
    sources.push_back(keepConstant(name, *constant.getNode()));
  else
    llvm::append_range(sources, def->getOperands());
  sources.push_back(keepConstant(name, ordinal));
  if (def) // the next ones stand behind it
    builder.setInsertionPoint(def);
  Operator any =
      Operator::createCustom(builder, builder.getUnknownLoc(),
                             {"onnx-fold", "NotConstant", /*since=*/1}, sources,
                             {OnnxUnknownType::get(&state.context)});
  any.setOutputNames({name});
  Value value = any->getResult(0);
  if (def) {
    there.replaceAllUsesWith(value);
    def->erase();
  } else {
    there.replaceAllUsesExcept(value, any.getOperation());
  }
  scope.redefine(name, value);
  return true;
}
