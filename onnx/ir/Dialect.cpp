//===- Dialect.cpp - The onnx dialect -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/Dialect.h"

#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/OperatorDefinition.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FoldInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace onnxfold;

#include "onnxfold/onnx/ir/OnnxDialect.cpp.inc"

namespace {
/// Constants are not moved out of graph attributes: they would become
/// initializers of another graph.
struct KeepConstantsInGraphs : DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(Region *region) const override {
    return bool(Operator::from(region->getParentOp()));
  }
};
} // namespace

void OnnxDialect::initialize() {
  state = std::make_shared<State>();
  registerTypes();
  registerAttributes();
  registerOperations();
  addInterfaces<KeepConstantsInGraphs>();
  auto custom =
      std::make_unique<OperatorDefinition>(*this, state->typeIDs.allocate());
  state->custom = custom.get();
  RegisteredOperationName::insert(std::move(custom), /*attrNames=*/{});
}

Operation *OnnxDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location location) {
  if (isa<NoneType>(type))
    return OnnxAbsentOp::create(builder, location);
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return OnnxConstantOp::create(builder, location, elements);
}

//===----------------------------------------------------------------------===//
// Static operations
//===----------------------------------------------------------------------===//

void OnnxConstantOp::build(OpBuilder &, OperationState &state,
                           ElementsAttr value, StringRef output,
                           std::optional<int64_t> node) {
  auto &properties = state.getOrAddProperties<Properties>();
  properties.value = value;
  properties.output = StoredName(output, state.getContext());
  properties.node = node;
  state.addTypes(value.getType());
}

OpFoldResult OnnxConstantOp::fold(FoldAdaptor) { return getValue(); }

void OnnxConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (!getOutput().empty())
    setName(getResult(), getOutput().get());
}

static ConstantAsm &constantAsm(MLIRContext *context) {
  return context->getLoadedDialect<OnnxDialect>()->getState().constantAsm;
}

static ParseResult parseConstantValue(OpAsmParser &parser,
                                      ElementsAttr &value) {
  if (const auto &parse = constantAsm(parser.getContext()).parse)
    return parse(parser, value);
  return parser.parseAttribute(value);
}

static void printConstantValue(OpAsmPrinter &printer, OnnxConstantOp op,
                               ElementsAttr value) {
  if (const auto &print = constantAsm(op.getContext()).print)
    print(printer, value);
  else
    printer.printAttribute(value);
}

/// Name and ordinal stand among the attributes: `{node = 3, output = "w"}`.
static ParseResult parseConstantPlace(OpAsmParser &parser, StoredName &output,
                                      std::optional<int64_t> &node,
                                      NamedAttrList &attributes) {
  SMLoc start = parser.getCurrentLocation();
  auto error = [&] { return parser.emitError(start); };
  if (parser.parseOptionalAttrDict(attributes))
    return failure();
  Attribute name = attributes.erase("output");
  if (name && failed(convertFromAttribute(output, name, error)))
    return failure();
  Attribute ordinal = attributes.erase("node");
  if (!ordinal)
    return success();
  auto number = dyn_cast<IntegerAttr>(ordinal);
  if (!number || !number.getType().isInteger(64))
    return error() << "property is " << ordinal << ", expected an i64";
  node = number.getInt();
  return success();
}

static void printConstantPlace(OpAsmPrinter &printer, OnnxConstantOp op,
                               const StoredName &output,
                               std::optional<int64_t> node, DictionaryAttr) {
  NamedAttrList list(op->getDiscardableAttrDictionary());
  if (!output.empty())
    list.set("output", convertToAttribute(op.getContext(), output));
  if (node)
    list.set("node", Builder(op.getContext()).getI64IntegerAttr(*node));
  printer.printOptionalAttrDict(list.getDictionary(op.getContext()).getValue());
}

void OnnxAbsentOp::build(OpBuilder &builder, OperationState &state) {
  state.addTypes(builder.getNoneType());
}

OpFoldResult OnnxAbsentOp::fold(FoldAdaptor) {
  return UnitAttr::get(getContext());
}

//===----------------------------------------------------------------------===//
// Generated code
//===----------------------------------------------------------------------===//

#define GET_TYPEDEF_CLASSES
#include "onnxfold/onnx/ir/OnnxTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "onnxfold/onnx/ir/OnnxAttributes.cpp.inc"

#define GET_OP_CLASSES
#include "onnxfold/onnx/ir/OnnxOps.cpp.inc"

void OnnxDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "onnxfold/onnx/ir/OnnxTypes.cpp.inc"
      >();
}

void OnnxDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "onnxfold/onnx/ir/OnnxAttributes.cpp.inc"
      >();
}

void OnnxDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "onnxfold/onnx/ir/OnnxOps.cpp.inc"
      >();
}
