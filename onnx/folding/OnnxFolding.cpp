//===- OnnxFolding.cpp - How the engine folds ONNX ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/constprop/FoldHook.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/folding/CallAttributes.h"
#include "onnxfold/onnx/folding/LoopShapes.h"
#include "onnxfold/onnx/folding/UnknownNames.h"
#include "onnxfold/onnx/folding/internal/CustomTypes.h"
#include "onnxfold/onnx/folding/internal/StandardTypes.h"
#include "onnxfold/onnx/ir/ConstantTypes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/NodeFault.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/ShapeInference.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnxfold/onnx/kernels/AllKernels.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Types that the model states, and those that are inferred
//===----------------------------------------------------------------------===//

/// Two ranks, or two numbers for one size.
static bool differ(ArrayRef<DimExpr> a, ArrayRef<DimExpr> b,
                   const DimExprs &exprs) {
  return a.size() != b.size() ||
         llvm::any_of(llvm::zip_equal(a, b), [&](auto pair) {
           auto mine = exprs.valueOf(std::get<0>(pair)),
                theirs = exprs.valueOf(std::get<1>(pair));
           return mine && theirs && *mine != *theirs;
         });
}

/// Fills what `state` does not know from the declared type of the value. Sizes
/// that are wrong in the first iteration of a loop are forgotten: a later walk
/// of the body may know less, and would believe them.
static void complete(ValueState &state, Value value, DimExprs &exprs,
                     ValueTypes &types) {
  ValueState declared = stateOfType(value.getType(), exprs);
  state.absent = declared.absent;
  if (state.type == DataType::Undefined)
    state.type = declared.type;
  if (!declared.shape)
    return;
  if (!state.shape) {
    if (!isa<UnrankedTensorType>(types.of(value)))
      state.shape = declared.shape;
    return;
  }
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  if (tensor && differ(*state.shape, *declared.shape, exprs))
    types.set(value, UnrankedTensorType::get(tensor.getElementType()));
}

Type onnxfold::typeOfState(const ValueState &state, const DimExprs &exprs,
                           MLIRContext *context) {
  Type element = state.type == DataType::Undefined
                     ? Type()
                     : elementTypeOf(int32_t(state.type), context);
  if (!element)
    return {};
  if (!state.shape)
    return UnrankedTensorType::get(element);
  SmallVector<int64_t> sizes;
  for (DimExpr d : *state.shape) {
    int64_t size = exprs.valueOf(d).value_or(ShapedType::kDynamic);
    sizes.push_back(size < 0 ? ShapedType::kDynamic : size);
  }
  return RankedTensorType::get(sizes, element);
}

bool onnxfold::isTypeOfState(Type type, const ValueState &state,
                             const DimExprs &exprs) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getEncoding() || !state.shape ||
      state.type == DataType::Undefined ||
      size_t(tensor.getRank()) != state.shape->size() ||
      tensor.getElementType() !=
          elementTypeOf(int32_t(state.type), type.getContext()))
    return false;
  return llvm::all_of(
      llvm::zip_equal(tensor.getShape(), *state.shape), [&](auto pair) {
        auto [size, d] = pair;
        int64_t known = exprs.valueOf(d).value_or(ShapedType::kDynamic);
        return size == (known < 0 ? ShapedType::kDynamic : known);
      });
}

/// Whether only nodes read the value: operations of other dialects, such as
/// func.return, ask for the type that it has.
static bool mayGetRank(Value value) {
  return isa<UnrankedTensorType>(value.getType()) &&
         llvm::all_of(value.getUsers(), [&](Operation *user) {
           return user->getDialect() == value.getDefiningOp()->getDialect();
         });
}

/// Gives a value of unknown type or rank the type that was inferred.
static void refine(Value value, const ValueState &state, const DimExprs &exprs,
                   const ValueTypes &types) {
  if (state.shape && mayGetRank(value)) {
    if (Type ranked = typeOfState(state, exprs, value.getContext()))
      value.setType(ranked);
    return;
  }
  if (!isa<OnnxUnknownType>(value.getType()))
    return;
  Type kind = types.of(value);
  if (isa<OnnxUnknownType>(kind))
    kind = typeOfState(state, exprs, value.getContext());
  if (kind)
    value.setType(kind);
}

/// Whether the model's type and what is known cannot both be true.
static bool contradicts(Type type, const ValueState &state,
                        const DimExprs &exprs) {
  auto declared = dyn_cast<TensorType>(type);
  if (!declared || state.type == DataType::Undefined)
    return false;
  if (toDataType(declared.getElementType()) != state.type)
    return true;
  if (!declared.hasRank() || !state.shape)
    return false;
  return declared.getRank() != int64_t(state.shape->size()) ||
         llvm::any_of(llvm::zip_equal(declared.getShape(), *state.shape),
                      [&](auto pair) {
                        auto [size, symbol] = pair;
                        auto known = exprs.valueOf(symbol);
                        return known && !ShapedType::isDynamic(size) &&
                               *known != size;
                      });
}

/// Notes a conflict; the inferred type is right. The outputs of a graph must
/// keep their declared types.
static void correct(Value value, const ValueState &state, const DimExprs &exprs,
                    FoldingInterface::NoteConflict note) {
  Type inferred = typeOfState(state, exprs, value.getContext());
  if (!inferred)
    return;
  if (note)
    note(value, inferred);
  bool isGiven = llvm::any_of(value.getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>();
  });
  if (!isGiven)
    value.setType(inferred);
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

/// Random operators: also with a seed, whose generator is not specified.
static bool isRandom(Operator op) {
  static const llvm::StringSet<> names = {"Bernoulli",     "Multinomial",
                                          "RandomNormal",  "RandomNormalLike",
                                          "RandomUniform", "RandomUniformLike"};
  return op.domain().empty() && names.contains(op.opType());
}

namespace {

/// A domain of operators without schemas that have kernels, at opset 1.
struct ContributedDomain {
  llvm::StringLiteral name, folder; ///< of onnx/kernels
};

/// Another one is a line here and its folder in onnx/kernels/CMakeLists.txt.
constexpr ContributedDomain contributedDomains[] = {
    {"com.microsoft", "microsoft"},
};

} // namespace

/// The registry's name of the operator's kernel, if there is one; "" if it is of
/// no such domain. ONNX Runtime has two of its operators in the domain of the
/// standard: in opsets that have not yet, or never will have, an operator of the
/// name.
static std::string contributedKernel(Operator op) {
  StringRef folder;
  for (const ContributedDomain &domain : contributedDomains)
    if (op.domain() == domain.name && op.since() == 1)
      folder = domain.folder;
  if (op.domain().empty() && (op.opType() == "SimplifiedLayerNormalization" ||
                              (op.is("LayerNormalization") && op.since() < 17)))
    folder = "microsoft";
  return folder.empty() ? "" : ("onnx." + folder + "." + op.opType()).str();
}

namespace {

class OnnxFolding : public FoldingInterface {
public:
  OnnxFolding(Dialect *dialect, const OnnxFoldingOptions &options)
      : FoldingInterface(dialect), registry("onnx"), options(options) {
    registerAllKernels(registry);
  }

  const KernelRegistry &kernels() const override { return registry; }

  int versionOf(Operation *op) const override {
    Operator onnxOp = Operator::from(op);
    if (onnxOp && isContributed(onnxOp))
      return 1;
    return onnxOp ? onnxOp.since() : 0;
  }

  ReasonOr<const Kernel *> kernelOf(Operation *op, int version) const override {
    Operator onnxOp = Operator::from(op);
    if (!onnxOp || !isContributed(onnxOp))
      return FoldingInterface::kernelOf(op, version);
    return registry.lookup(contributedKernel(onnxOp), version);
  }

  Reason mustBeKept(Operation *op) const override;

  bool isRemovable(Operation *op, const SymbolTable *functions) const override;

  Reason checkOperands(Operation *op) const override {
    llvm::Error error = checkInputTypes(Operator::from(op));
    return error ? invalid(llvm::toString(std::move(error))) : Reason();
  }

  Reason keptByPolicy(Operation *op) const override;

  void inferTypes(Operation *op, ArrayRef<const ValueState *> operands,
                  MutableArrayRef<ValueState> results, DimExprs &exprs,
                  ValueTypes &types) const override;

  void branchesOf(Operation *op, unsigned result,
                  SmallVectorImpl<Value> &values) const override;

  std::optional<BodyLoop> loopOf(Operation *op,
                                 ArrayRef<const ValueState *> operands,
                                 DimExprs &exprs,
                                 const ValueTypes &types) const override;

  SmallVector<ValueState, 2>
  resultsOfLoop(Operation *op, bool runs, ArrayRef<const ValueState *> operands,
                ArrayRef<ValueState> last, ArrayRef<ValueState> results,
                DimExprs &exprs) const override {
    return onnxfold::resultsOfLoop(Operator::from(op), runs, operands, last,
                                   results, exprs);
  }

  OwningOpRef<Operation *>
  copyOfCallee(Operation *op, const SymbolTable *functions) const override {
    Operator call = Operator::from(op);
    if (!call || !call.isCustom() || call.hasReferences())
      return nullptr;
    Operation *function = functionOf(call, functions);
    IRMapping copies;
    return function ? copyForCall(function, op, copies) : nullptr;
  }

  void refineTypes(Operation *op, ArrayRef<ValueState> results,
                   const DimExprs &exprs, const ValueTypes &types,
                   NoteConflict note) const override {
    for (auto [state, value] : llvm::zip_equal(results, op->getResults())) {
      if (contradicts(value.getType(), state, exprs))
        correct(value, state, exprs, note);
      else
        refine(value, state, exprs, types);
    }
  }

  void refineArgument(BlockArgument argument, Type type) const override {
    argument.setType(type);
  }

  Type typeToTell(const ValueState &state, const DimExprs &exprs,
                  MLIRContext *context) const override {
    return typeOfState(state, exprs, context);
  }

  /// An optional that holds a tensor is none, either. A result without a name
  /// (of type none) needs no constant.
  bool hasConstants(Operation *op, unsigned result) const override {
    Type type = op->getResult(result).getType();
    if (auto tensor = dyn_cast<TensorType>(type))
      return mayState(op, tensor.getElementType());
    return isa<OnnxUnknownType, NoneType>(type);
  }
  StringRef whyNoConstant(Operation *op, unsigned result) const override {
    if (!isa<TensorType>(op->getResult(result).getType()))
      return FoldingInterface::whyNoConstant(op, result);
    return "a Constant node takes integers from opset 9 on, and initializers "
           "that are no inputs need IR version 4; its users fold";
  }

  Value materialize(OpBuilder &builder, Operation *op, unsigned result,
                    const Elements &value) const override;

  /// See onnxfold::isUnknownName().
  bool isUnknownName(Operator op) const;

private:
  /// The model's own, or else that of a library, or null.
  Operation *functionOf(Operator call, const SymbolTable *functions) const;
  /// One of ONNX Runtime's contributed operators that has a kernel.
  bool isContributed(Operator op) const;
  /// The schema of an operator outside the standard, or null.
  const OperatorSchema *schemaOf(Operator op) const;

  KernelRegistry registry;
  OnnxFoldingOptions options;
};

} // namespace

/// A reason if an attribute was not read: kernels would take it for one that is
/// left out, and its default.
static Reason checkAttributes(Operation *op) {
  for (NamedAttribute attribute : op->getDiscardableAttrDictionary())
    if (isa<OnnxRawAttr>(attribute.getValue()))
      return invalid("attribute '" + attribute.getName().getValue() +
                     "' is damaged, or a text of more than 64 KB");
  return {};
}

static Operation *outermost(Operation *op) {
  while (op->getParentOp())
    op = op->getParentOp();
  return op;
}

/// The function of that name, whether it may be called or not. Its domain may
/// be spelled "ai.onnx".
static Operation *functionInModule(Operator call) {
  Operation *module = outermost(call.getOperation());
  if (!module->hasTrait<OpTrait::SymbolTable>())
    return nullptr;
  auto find = [&](StringRef domain) {
    return SymbolTable::lookupSymbolIn(
        module, functionSymbol(domain, call.opType(), call.overload()));
  };
  Operation *found = find(call.domain());
  return found || !call.domain().empty() ? found : find("ai.onnx");
}

bool OnnxFolding::isContributed(Operator op) const {
  if (!op.isCustom())
    return false;
  std::string kernel = contributedKernel(op);
  return !kernel.empty() && op.overload().empty() && op.numGraphs() == 0 &&
         bool(registry.lookup(kernel, 1)) && !functionInModule(op);
}

static bool isKnownToBePure(const OperatorSchema *schema) {
  return schema && !hasEffects(*schema);
}

Operation *OnnxFolding::functionOf(Operator call,
                                   const SymbolTable *functions) const {
  Operation *function = calledFunction(call, functions);
  if (!options.libraries.empty() && !function && !functionInModule(call))
    for (const SymbolTable *library : options.libraries)
      if ((function = calledFunction(call, library)))
        break;
  return function;
}

/// A function of the model is what an operator of its name is.
const OperatorSchema *OnnxFolding::schemaOf(Operator op) const {
  if (!op || !op.isCustom() || op.hasReferences() || !op.overload().empty())
    return nullptr;
  static const OperatorSchemas builtInAlone;
  const OperatorSchemas &schemas =
      options.schemas ? *options.schemas : builtInAlone;
  const OperatorSchema *schema = schemas.find(op.domain(), op.opType());
  return schema && !functionInModule(op) ? schema : nullptr;
}

bool OnnxFolding::isUnknownName(Operator op) const {
  return op.isCustom() && isSchemaDomain(op.domain()) &&
         !functionInModule(op) && !functionOf(op, nullptr) &&
         faultOf(op).kind == NodeFault::Kind::UnknownOperator &&
         !isContributed(op) && !schemaOf(op);
}

bool onnxfold::isUnknownName(Operator op) {
  const auto *folding = FoldingInterface::of(op.getOperation());
  return folding &&
         static_cast<const OnnxFolding *>(folding)->isUnknownName(op);
}

/// Nobody knows what else custom operators do unless a schema says it, and what
/// breaks its schema is refused at run time. The importer's own are not there
/// then.
bool OnnxFolding::isRemovable(Operation *op,
                              const SymbolTable *functions) const {
  Operator node = Operator::from(op);
  return !node || !node.isCustom() || node.domain() == "onnx-fold" ||
         (node.is("Constant") && node.hasReferences()) ||
         functionOf(node, functions) || isKnownToBePure(schemaOf(node));
}

/// Why nobody knows which function the operation calls; "" if that is known.
static StringRef whyAmbiguous(Operator call) {
  if (!outermost(call.getOperation())->hasAttr(anyAmbiguousAttrName))
    return "";
  Operation *function = functionInModule(call);
  auto why = function ? function->getAttrOfType<StringAttr>(ambiguousAttrName)
                      : StringAttr();
  return why ? why.getValue() : "";
}

static Reason whyCustom(Operator op) {
  for (const ContributedDomain &domain : contributedDomains)
    if (op.domain() == domain.name && op.since() > 1)
      return notFolded(ReasonCode::UnknownVersion,
                       "opset " + llvm::Twine(op.since()) + " of domain '" +
                           domain.name +
                           "' is newer than 1, the last one known here");
  NodeFault fault = faultOf(op);
  switch (fault.kind) {
  case NodeFault::Kind::Invalid:
    return invalid(fault.text);
  case NodeFault::Kind::NewerOpset:
    return notFolded(ReasonCode::UnknownVersion, fault.text);
  case NodeFault::Kind::UnknownOperator:
    return notFolded(ReasonCode::NoKernel, fault.text);
  }
  return {};
}

Reason OnnxFolding::mustBeKept(Operation *op) const {
  Operator onnxOp = Operator::from(op);
  if (!onnxOp) // onnx.Absent, which states that there is nothing
    return notFolded(ReasonCode::Constant, "is not an operator");
  if (onnxOp.isCustom())
    if (StringRef why = whyAmbiguous(onnxOp); !why.empty())
      return notFolded(ReasonCode::NoKernel, why);
  // A Constant whose value is a parameter is an onnx.Custom, too.
  bool isParameter = onnxOp.is("Constant") && onnxOp.hasReferences();
  if (onnxOp.isCustom() && !isContributed(onnxOp) && !isParameter)
    return whyCustom(onnxOp);
  if (onnxOp.hasReferences())
    return notFolded(ReasonCode::InputNotConstant,
                     "an attribute is a parameter of the function");
  if (Reason unread = checkAttributes(op))
    return unread;
  if (isRandom(onnxOp))
    return notFolded(ReasonCode::NotDeterministic, "is random");
  return {};
}

/// The standard's, or ONNX Runtime's own of that name.
static bool isQuantization(Operator op, StringRef opType) {
  return op.opType() == opType &&
         (op.domain().empty() || op.domain() == "com.microsoft");
}

bool onnxfold::quantizes(Operator op) {
  return isQuantization(op, "QuantizeLinear");
}

bool onnxfold::dequantizes(Operator op) {
  return isQuantization(op, "DequantizeLinear");
}

Reason OnnxFolding::keptByPolicy(Operation *op) const {
  Operator onnxOp = Operator::from(op);
  bool quantize = quantizes(onnxOp);
  if (!quantize && !dequantizes(onnxOp))
    return {};
  if (options.quantization == FoldQuantization::All ||
      (quantize && options.quantization == FoldQuantization::Weights))
    return {};
  return notFolded(ReasonCode::Quantization,
                   "tells the runtime to use integer kernels");
}

void OnnxFolding::inferTypes(Operation *op,
                             ArrayRef<const ValueState *> operands,
                             MutableArrayRef<ValueState> results,
                             DimExprs &exprs, ValueTypes &types) const {
  Operator onnxOp = Operator::from(op);
  auto inferStandard = [&](Operator standard,
                           ArrayRef<const ValueState *> states,
                           MutableArrayRef<ValueState> made) {
    if (!inferStandardTypes(standard, states, made, exprs, types) &&
        options.noteDoubt)
      options.noteDoubt();
  };
  // Inference would take the default of an attribute that is a parameter.
  if (onnxOp && !onnxOp.isCustom() && !onnxOp.hasReferences())
    inferStandard(onnxOp, operands, results);
  else if (const OperatorSchema *schema = schemaOf(onnxOp))
    inferCustomTypes(onnxOp, *schema, operands, results, exprs, inferStandard);
  for (auto [state, value] : llvm::zip_equal(results, op->getResults()))
    complete(state, value, exprs, types);
}

void OnnxFolding::branchesOf(Operation *op, unsigned result,
                             SmallVectorImpl<Value> &values) const {
  if (Operator node = Operator::from(op); !node || !node.is("If"))
    return;
  for (Region &branch : op->getRegions()) {
    Operation &end = branch.front().back();
    if (result < end.getNumOperands())
      values.push_back(end.getOperand(result));
  }
  if (values.size() != 2) // a branch is missing
    values.clear();
}

/// A body's argument that the model gives no type is a sequence or an optional
/// if the node's input is, and has the tensors of that.
std::optional<BodyLoop>
OnnxFolding::loopOf(Operation *op, ArrayRef<const ValueState *> operands,
                    DimExprs &exprs, const ValueTypes &types) const {
  Operator node = Operator::from(op);
  std::optional<BodyLoop> loop = describeLoop(node, operands, exprs);
  if (!loop)
    return loop;
  for (BlockArgument argument : loop->body->getArguments()) {
    unsigned i = argument.getArgNumber();
    if (i >= op->getNumOperands())
      continue;
    onnx::TypeProto proto;
    Type type = typeOfLoopArgument(
        node, i, declaredOrInferred(op->getOperand(i), types));
    if (type && isa<TensorType>(type))
      loop->arguments[i].type = mergeTypes(argument.getType(), type);
    else if (type && toTypeProto(type, proto) &&
             isa<OnnxUnknownType>(argument.getType()))
      loop->arguments[i].type = kindOf(proto, op->getContext());
  }
  return loop;
}

Value OnnxFolding::materialize(OpBuilder &builder, Operation *op,
                               unsigned result, const Elements &value) const {
  Type element = elementTypeOf(int32_t(value.type()), builder.getContext());
  auto type = RankedTensorType::get(value.shape(), element);
  return OnnxConstantOp::create(builder, op->getLoc(), toAttribute(value, type),
                                Operator::from(op).outputName(result));
}

//===----------------------------------------------------------------------===//

/// Arguments of graphs and functions: the type, with named dimensions.
static ValueState stateOfArgument(BlockArgument argument, DimExprs &exprs) {
  ValueState state = stateOfType(argument.getType(), exprs);
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  if (!function || !argument.getOwner()->isEntryBlock() || !state.shape)
    return state;
  auto names = function.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(),
                                                    dimsAttrName);
  if (!names || names.size() != state.shape->size())
    return state;
  for (auto [dim, name] :
       llvm::zip_equal(*state.shape, names.getAsRange<StringAttr>()))
    // Names with '?' are the engine's own: they would be taken for others.
    if (!name.getValue().empty() && !name.getValue().starts_with("?") &&
        !exprs.valueOf(dim))
      dim = exprs.named(name.getValue());
  return state;
}

EvaluationOptions onnxfold::onnxEvaluationOptions() {
  EvaluationOptions options;
  options.stateOfArgument = stateOfArgument;
  return options;
}

void onnxfold::addOnnxFolding(MLIRContext &context,
                              const OnnxFoldingOptions &options) {
  Dialect *dialect = context.getOrLoadDialect<OnnxDialect>();
  dialect->addInterface(std::make_unique<OnnxFolding>(dialect, options));
  setFoldHook(context, foldWithKernel);
}
