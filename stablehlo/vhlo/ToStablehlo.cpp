//===- ToStablehlo.cpp - Serialised operations under today's names --------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/stablehlo/ir/Definition.h"
#include "onnxfold/stablehlo/ir/Fields.h"
#include "onnxfold/stablehlo/vhlo/Dialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace onnxfold;

//===----------------------------------------------------------------------===//
// Attributes that StableHLO has as one
//===----------------------------------------------------------------------===//

namespace {
struct Group {
  StringRef operations, name, mnemonic, fields;
  bool statesAll = false; // zeros and empty lists too
};
} // namespace

static constexpr Group groups[] = {
    {"dot_general", "dot_dimension_numbers", "dot",
     "lhs_batching_dimensions rhs_batching_dimensions "
     "lhs_contracting_dimensions rhs_contracting_dimensions"},
    {"dot_general", "algorithm", "dot_algorithm",
     "lhs_precision_type rhs_precision_type accumulation_type "
     "lhs_component_count rhs_component_count num_primitive_operations "
     "allow_imprecise_accumulation",
     true},
    {"gather dynamic_gather", "dimension_numbers", "gather",
     "offset_dims collapsed_slice_dims operand_batching_dims "
     "start_indices_batching_dims start_index_map index_vector_dim"},
    {"scatter", "scatter_dimension_numbers", "scatter",
     "update_window_dims inserted_window_dims input_batching_dims "
     "scatter_indices_batching_dims scatter_dims_to_operand_dims "
     "index_vector_dim"},
};

/// The values of a tensor with so many bits each. A splat may claim to have more
/// than the memory holds.
template <class T>
static std::optional<SmallVector<T>> valuesOf(Attribute value, unsigned width) {
  constexpr int64_t mostValues = 65536;
  auto dense = dyn_cast_if_present<DenseIntElementsAttr>(value);
  if (!dense || !dense.getElementType().isSignlessInteger(width) ||
      dense.getNumElements() > mostValues)
    return std::nullopt;
  return SmallVector<T>(dense.getValues<T>());
}

static std::optional<SmallVector<int64_t>> intsOf(Attribute value) {
  return valuesOf<int64_t>(value, 64);
}

static std::optional<int64_t> intOf(Attribute value) {
  auto number = dyn_cast_if_present<IntegerAttr>(value);
  return number && number.getType().isSignlessInteger(64)
             ? std::optional(number.getInt())
             : std::nullopt;
}

/// The text of a field; empty for one that says nothing, and none for what is
/// no field.
static std::optional<std::string> textOf(Attribute value, bool statesAll) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (auto type = dyn_cast<TypeAttr>(value)) {
    if (!isa<NoneType>(type.getValue()))
      out << type.getValue();
  } else if (auto is = dyn_cast<BoolAttr>(value)) {
    out << (is.getValue() ? "true" : "false");
  } else if (auto number = intOf(value)) {
    if (statesAll || *number != 0)
      out << *number;
  } else if (auto ints = intsOf(value)) {
    if (!ints->empty())
      out << hlo::listText(*ints);
  } else {
    return std::nullopt;
  }
  return text;
}

static LogicalResult joinGroup(Operation *op, const Group &group,
                               NamedAttrList &attributes) {
  SmallVector<StringRef> fields;
  group.fields.split(fields, ' ');
  std::string text;
  bool isGiven = false;
  for (StringRef field : fields) {
    Attribute value = attributes.erase(field);
    if (!value)
      continue;
    isGiven = true;
    std::optional<std::string> part = textOf(value, group.statesAll);
    if (!part)
      return op->emitError("attribute '")
             << field << "' is not a field of " << group.name;
    if (!part->empty())
      text += ((text.empty() ? "" : ", ") + field + " = " + *part).str();
  }
  if (isGiven && !(group.statesAll && text.empty()))
    attributes.set(
        group.name,
        hlo::opaqueAttr(op->getContext(), group.mnemonic + "<" + text + ">"));
  return success();
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// `[b, 0, 1, f]` from three attributes that say where these are; empty if one
/// of them is missing.
static std::string layoutOf(NamedAttrList &attributes, StringRef first,
                            StringRef second, StringRef spatial,
                            StringRef letters) {
  auto a = intOf(attributes.erase(first));
  auto b = intOf(attributes.erase(second));
  auto others = intsOf(attributes.erase(spatial));
  if (!a || !b || !others)
    return {};
  SmallVector<std::string> parts(others->size() + 2);
  auto put = [&](int64_t place, std::string part) {
    if (place >= 0 && place < int64_t(parts.size()))
      parts[place] = std::move(part);
  };
  put(*a, letters.substr(0, 1).str());
  put(*b, letters.substr(1, 1).str());
  for (auto [i, place] : llvm::enumerate(*others))
    put(place, std::to_string(i));
  if (llvm::is_contained(parts, std::string()))
    return {};
  return "[" + llvm::join(parts, ", ") + "]";
}

static LogicalResult joinConvolution(Operation *op, NamedAttrList &attributes) {
  std::string input =
      layoutOf(attributes, "input_batch_dimension", "input_feature_dimension",
               "input_spatial_dimensions", "bf");
  std::string kernel = layoutOf(attributes, "kernel_input_feature_dimension",
                                "kernel_output_feature_dimension",
                                "kernel_spatial_dimensions", "io");
  std::string output =
      layoutOf(attributes, "output_batch_dimension", "output_feature_dimension",
               "output_spatial_dimensions", "bf");
  if (input.empty() || kernel.empty() || output.empty())
    return op->emitError("the dimensions of a convolution are no permutation");
  attributes.set(
      "dimension_numbers",
      hlo::opaqueAttr(op->getContext(),
                      "conv<" + input + "x" + kernel + "->" + output + ">"));
  return success();
}

//===----------------------------------------------------------------------===//
// Single attributes
//===----------------------------------------------------------------------===//

/// Lists that are tensors in vhlo.
static bool isList(StringRef name) {
  static constexpr StringRef names[] = {
      "base_dilations",    "broadcast_dimensions",
      "broadcast_sizes",   "dimensions",
      "edge_padding_high", "edge_padding_low",
      "fft_length",        "interior_padding",
      "lhs_dilation",      "known_expanding_dimensions",
      "limit_indices",     "known_nonexpanding_dimensions",
      "permutation",       "rhs_dilation",
      "slice_sizes",       "start_indices",
      "strides",           "window_dilations",
      "window_dimensions", "window_reversal",
      "window_strides"};
  return llvm::is_contained(names, name);
}

static Attribute symbolOf(Attribute value) {
  auto name = dyn_cast<StringAttr>(value);
  return name ? Attribute(FlatSymbolRefAttr::get(name)) : value;
}

/// Whether an attribute has the value for which serialisation leaves it out.
static bool isEmpty(Attribute value) {
  if (auto number = dyn_cast<IntegerAttr>(value))
    return number.getValue().isZero();
  return value == ArrayAttr::get(value.getContext(), {}) ||
         value == DictionaryAttr::get(value.getContext()) ||
         value == StringAttr::get(value.getContext(), "");
}

/// An attribute as StableHLO has it; null for one that says nothing.
static Attribute converted(StringRef name, Attribute value) {
  Builder builder(value.getContext());
  if (auto bools = valuesOf<bool>(value, 1); bools && isList(name))
    return builder.getDenseBoolArrayAttr(*bools);
  if (auto ints = intsOf(value); ints && isList(name))
    return builder.getDenseI64ArrayAttr(*ints);
  if (name == "callee" || name == "decomposition")
    return symbolOf(value);
  auto array = dyn_cast<ArrayAttr>(value);
  if (name == "called_computations" && array)
    return builder.getArrayAttr(
        llvm::map_to_vector(array.getValue(), symbolOf));
  bool isUnit = name == "use_global_device_ids" || name == "has_dynamic_root";
  if (auto is = dyn_cast<BoolAttr>(value); is && isUnit)
    return is.getValue() ? Attribute(builder.getUnitAttr()) : Attribute();
  static constexpr StringRef leftOut[] = {
      "arg_attrs",      "backend_config", "called_computations",
      "layout",         "res_attrs",      "composite_attributes",
      "result_tilings", "sym_visibility", "output_operand_aliases",
      "version"};
  if (isEmpty(value) && llvm::is_contained(leftOut, name))
    return {};
  auto text = dyn_cast<OpaqueAttr>(value);
  bool isDefault =
      text && (text.getAttrData() == "comparison_type NOTYPE" ||
               text.getAttrData() == "result_accuracy_mode DEFAULT");
  return isDefault ? Attribute() : value;
}

/// The numbers of channels are part of an attribute of StableHLO.
static LogicalResult joinChannel(Operation *op, NamedAttrList &attributes) {
  Attribute idAttr = attributes.erase("channel_id");
  Attribute typeAttr = attributes.erase("channel_type");
  auto id = intOf(idAttr), type = intOf(typeAttr);
  if (bool(idAttr) != bool(id) || bool(typeAttr) != bool(type) || (type && !id))
    return op->emitError("its channel is not two integers of 64 bits");
  if (id && (type || *id != 0))
    attributes.set("channel_handle",
                   hlo::opaqueAttr(op->getContext(),
                                   "channel_handle<handle = " + Twine(*id) +
                                       ", type = " + Twine(type.value_or(0)) +
                                       ">"));
  return success();
}

/// Properties, which were attributes up to version 0.14. Others are `state`'s.
static FailureOr<NamedAttrList> takeProperties(Operation *op,
                                               OperationState &state) {
  NamedAttrList properties(
      dyn_cast_if_present<DictionaryAttr>(op->getPropertiesAsAttribute()));
  const auto *definition = hlo::Definition::of(op->getName());
  SmallVector<StringRef> names;
  if (definition)
    definition->serializedNames().value_or("").split(names, ' ');
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (llvm::is_contained(names, attribute.getName().getValue()))
      properties.push_back(attribute);
    else
      state.attributes.push_back(attribute);
  if (std::optional<NamedAttribute> twice = properties.findDuplicate())
    return op->emitError("attribute '")
           << twice->getName().getValue() << "' occurs twice";
  return properties;
}

static FailureOr<DictionaryAttr> propertiesOf(Operation *op, StringRef name,
                                              NamedAttrList attributes) {
  if (name == "convolution" || name == "dynamic_conv")
    if (failed(joinConvolution(op, attributes)))
      return failure();
  for (const Group &group : groups) {
    SmallVector<StringRef> operations;
    group.operations.split(operations, ' ');
    if (llvm::is_contained(operations, name) &&
        failed(joinGroup(op, group, attributes)))
      return failure();
  }
  if (failed(joinChannel(op, attributes)))
    return failure();
  // Layouts are given for all, or for none.
  Attribute operands = attributes.get("operand_layouts");
  Attribute results = attributes.get("result_layouts");
  if (operands && results && isEmpty(operands) && isEmpty(results)) {
    attributes.erase("operand_layouts");
    attributes.erase("result_layouts");
  }
  NamedAttrList result;
  for (NamedAttribute attribute : attributes) {
    StringAttr field = attribute.getName();
    Attribute value = converted(field, attribute.getValue());
    if (isList(field) && !isa_and_present<DenseArrayAttr>(value))
      return op->emitError("attribute '")
             << field.getValue() << "' is not a list of at most 65536 integers";
    if (value)
      result.append(field, value);
  }
  return result.getDictionary(op->getContext());
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// `stablehlo.add` for `vhlo.add_v1`.
static std::string nameOf(Operation *op, StringRef name) {
  if (name == "func" || name == "call")
    return ("func." + name).str();
  if (name == "return" && isa<func::FuncOp>(op->getParentOp()))
    return "func.return";
  return ("stablehlo." + name).str();
}

static LogicalResult replace(Operation *op) {
  StringRef name = op->getName().stripDialect();
  // Returns have no attributes, and MLIR takes an unknown operation for an end.
  if (!hlo::Definition::of(op->getName()) && name != "return_v1")
    return op->emitError("'") << op->getName() << "' is not known";
  name = name.substr(0, name.rfind("_v"));
  OperationState state(op->getLoc(), nameOf(op, name));
  if (!state.name.isRegistered())
    return op->emitError("StableHLO has no '") << state.name << "'";
  FailureOr<NamedAttrList> attributes = takeProperties(op, state);
  if (failed(attributes))
    return failure();
  FailureOr<DictionaryAttr> properties =
      propertiesOf(op, name, std::move(*attributes));
  if (failed(properties))
    return failure();
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  OpBuilder builder(op);
  Operation *copy = builder.create(state);
  if (!properties->empty() &&
      failed(copy->setPropertiesFromAttribute(
          *properties, [&] { return copy->emitError(); })))
    return failure();
  op->replaceAllUsesWith(copy);
  op->erase();
  return success();
}

LogicalResult vhlo::toStablehlo(ModuleOp module) {
  // Functions come before what is in them, which asks for them.
  SmallVector<Operation *> operations;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getName().getDialectNamespace() ==
        VhloDialect::getDialectNamespace())
      operations.push_back(op);
  });
  for (Operation *op : operations)
    if (failed(replace(op)))
      return failure();
  return operations.empty() ? success() : verify(module);
}
