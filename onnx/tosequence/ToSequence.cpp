//===- ToSequence.cpp - ONNX sequences as programs ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/tosequence/Passes.h"

#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/folding/AlwaysInline.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/tosequence/internal/ToSequenceConverter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

namespace onnxfold {
#define GEN_PASS_DEF_CONVERTONNXTOSEQUENCEPASS
#include "onnxfold/onnx/tosequence/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;
using namespace onnxfold;
using sequence::SequenceType;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool onnxfold::isStrings(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && isa<OnnxStringType>(tensor.getElementType());
}

Type onnxfold::convertedType(Type type) {
  if (auto list = dyn_cast<OnnxSequenceType>(type)) {
    auto element =
        dyn_cast_or_null<TensorType>(convertedType(list.getElementType()));
    return element ? SequenceType::get(element, ShapedType::kDynamic) : Type();
  }
  if (isStrings(type)) // numbers of texts (onnx/programs/ProgramStrings.h)
    return cast<TensorType>(type).clone(
        IntegerType::get(type.getContext(), 64));
  if (isa<OnnxDialect>(type.getDialect()))
    return {};
  return type;
}

LogicalResult onnxfold::appendTypes(Type type, SmallVectorImpl<Type> &types) {
  auto optional = dyn_cast<OnnxOptionalType>(type);
  Type inside = convertedType(optional ? optional.getElementType() : type);
  if (!inside)
    return failure();
  types.push_back(inside);
  if (optional)
    types.push_back(IntegerType::get(type.getContext(), 1));
  return success();
}

Type onnxfold::joinTypes(Type left, Type right) {
  if (left == right)
    return left;
  if (auto one = dyn_cast<SequenceType>(left))
    if (auto other = dyn_cast<SequenceType>(right))
      return sequence::joinSequences(one, other);
  if (auto one = dyn_cast<TensorType>(left))
    if (auto other = dyn_cast<TensorType>(right))
      return sequence::joinTensors(one, other);
  return {};
}

Location onnxfold::namedLocation(Operator op) {
  return NameLoc::get(StringAttr::get(op->getContext(), describeNode(op)),
                      op->getLoc());
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value ToSequenceConverter::coerce(Operation *op, Value value, Type type) {
  if (value.getType() == type)
    return value;
  auto tensor = dyn_cast<TensorType>(type);
  auto list = dyn_cast<SequenceType>(type);
  if (tensor && isa<TensorType>(value.getType()) &&
      sequence::areCompatible(tensor, cast<TensorType>(value.getType()))) {
    if (!sequence::covers(tensor, cast<TensorType>(value.getType())))
      value = narrow(op, value, cast<RankedTensorType>(tensor));
    return sequence::castTensor(builder, op->getLoc(), value, tensor);
  }
  if (list && isa<SequenceType>(value.getType()) &&
      sequence::areCompatible(list, cast<SequenceType>(value.getType())))
    return sequence::castSequence(builder, op->getLoc(), value, list);
  op->emitError("convert-onnx-to-sequence: a value of type ")
      << value.getType() << " where " << type << " is expected";
  return {};
}

/// A tensor as one of a type that says more; the program stops where it is not
/// so: a cast alone would read what is not there. Canonicalization moves the
/// sizes of a cast into what computes the tensor, before the assertions, whose
/// loops then read beyond what they have; the sizes of a reshape are not moved.
Value ToSequenceConverter::narrow(Operation *op, Value value,
                                  RankedTensorType type) {
  Location location = op->getLoc();
  auto expect = [&](Value actual, int64_t expected, const Twine &what) {
    Value same =
        arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq,
                              actual, index(location, expected));
    Operator onnx = Operator::from(op);
    std::string place =
        onnx ? describeNode(onnx) : op->getName().stripDialect().str();
    cf::AssertOp::create(
        builder, location, same,
        (place + ": " + what + " is not " + Twine(expected)).str());
  };
  if (!cast<TensorType>(value.getType()).hasRank()) {
    expect(tensor::RankOp::create(builder, location, value), type.getRank(),
           "the rank of a tensor");
    SmallVector<int64_t> any(type.getRank(), ShapedType::kDynamic);
    value = tensor::CastOp::create(
        builder, location, RankedTensorType::get(any, type.getElementType()),
        value);
  }
  auto known = cast<RankedTensorType>(value.getType());
  SmallVector<Value> sizes;
  bool saysMore = false;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    sizes.push_back(dim(location, value, axis));
    if (!known.isDynamicDim(axis) || type.isDynamicDim(axis))
      continue;
    saysMore = true;
    expect(sizes.back(), type.getDimSize(axis),
           "dimension " + Twine(axis) + " of a tensor");
    sizes.back() = index(location, type.getDimSize(axis));
  }
  if (!saysMore)
    return value;
  Value shape = tensor::FromElementsOp::create(builder, location, sizes);
  return tensor::ReshapeOp::create(builder, location, type, value, shape);
}

Value ToSequenceConverter::asScalar(Operation *op, Value tensor) {
  auto type = cast<TensorType>(tensor.getType());
  bool hasOne = type.hasStaticShape() && type.getNumElements() == 1;
  return hasOne ? tensor : squeezedByKernel(*this, op, tensor);
}

Value ToSequenceConverter::isVector(Location location, Value tensor) {
  Value rank = tensor::RankOp::create(builder, location, tensor);
  return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq,
                               rank, index(location, 1));
}

Value ToSequenceConverter::onlyElement(Operation *op, Value tensor) {
  tensor = asScalar(op, tensor);
  SmallVector<Value> indices(cast<RankedTensorType>(tensor.getType()).getRank(),
                             index(op->getLoc(), 0));
  return tensor::ExtractOp::create(builder, op->getLoc(), tensor, indices);
}

FailureOr<std::optional<SmallVector<int64_t>>>
ToSequenceConverter::constantInts(Operator op, unsigned index,
                                  StringRef name) const {
  Value value = input(op, index);
  if (!value)
    return op.getInts(name);
  DenseIntElementsAttr known;
  if (!matchPattern(value, m_Constant(&known)))
    return failure();
  SmallVector<int64_t> ints;
  for (const APInt &element : known)
    ints.push_back(element.getSExtValue());
  return std::optional(ints);
}

bool ToSequenceConverter::isNothing(Value presence) {
  return presence && matchPattern(presence, m_Zero());
}

Value ToSequenceConverter::nothing(Location location, Type type) {
  if (auto list = dyn_cast_or_null<SequenceType>(type))
    return sequence::EmptyOp::create(
        builder, location, SequenceType::get(list.getElementType(), 0));
  auto tensor = dyn_cast_or_null<TensorType>(type);
  if (!tensor)
    return {};
  auto ranked = dyn_cast<RankedTensorType>(tensor);
  if (!ranked)
    ranked = RankedTensorType::get({0}, tensor.getElementType());
  SmallVector<Value> sizes(ranked.getNumDynamicDims(), index(location, 0));
  return tensor::EmptyOp::create(builder, location, ranked, sizes);
}

Value ToSequenceConverter::index(Location location, int64_t value) {
  return arith::ConstantIndexOp::create(builder, location, value);
}

Value ToSequenceConverter::indexOf(Location location, Value tensor,
                                   int64_t position) {
  SmallVector<Value> indices;
  if (cast<RankedTensorType>(tensor.getType()).getRank() == 1)
    indices.push_back(index(location, position));
  Value element = tensor::ExtractOp::create(builder, location, tensor, indices);
  return arith::IndexCastOp::create(builder, location, builder.getIndexType(),
                                    element);
}

Value ToSequenceConverter::scalar(Location location, Value value) {
  return tensor::FromElementsOp::create(
      builder, location, RankedTensorType::get({}, value.getType()), value);
}

Value ToSequenceConverter::dim(Location location, Value tensor, int64_t axis) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(axis))
    return index(location, type.getDimSize(axis));
  return tensor::DimOp::create(builder, location, tensor, axis);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult ToSequenceConverter::convertBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(convertOperation(&op)))
      return failure();
  return success();
}

/// Its types are those of the function before that was converted.
LogicalResult ToSequenceConverter::convertCall(func::CallOp call) {
  auto refuse = [&](Type type) {
    return call.emitError("convert-onnx-to-sequence: type ")
           << type << " of an operand or result of a call has no lowering";
  };
  SmallVector<Value> operands;
  SmallVector<Type> results;
  for (Value operand : call.getOperands()) {
    Type type = convertedType(operand.getType());
    Value value = get(operand);
    if (!type || !value)
      return refuse(operand.getType());
    operands.push_back(coerce(call, value, type));
    if (!operands.back())
      return failure();
  }
  for (Type type : call.getResultTypes()) {
    results.push_back(convertedType(type));
    if (!results.back())
      return refuse(type);
  }
  auto converted = func::CallOp::create(builder, call.getLoc(),
                                        call.getCallee(), results, operands);
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), converted.getResults()))
    set(result, value);
  return success();
}

/// The kinds of operands, a letter for each input: s a sequence, t a tensor, o
/// a tensor or nothing; the last one holds for the rest where a + follows. The
/// text form may have anything there.
static StringRef kindsOfInputs(Operator op) {
  return llvm::StringSwitch<StringRef>(op.opType())
      .Case("SequenceInsert", "sto")
      .Case("SequenceErase", "so")
      .Case("SequenceAt", "st")
      .Cases({"SequenceLength", "ConcatFromSequence", "SequenceMap"}, "s")
      .Cases({"SequenceConstruct", "Not", "Shape"}, "t+")
      .Cases({"SplitToSequence", "Squeeze", "Unsqueeze"}, "to")
      .Cases({"Add", "Sub", "Mul"}, "tt")
      .Case("Slice", "ttto+")
      .Case("If", "t")
      .Case("Loop", "oo")
      .Default("");
}

static LogicalResult checkInputs(const ToSequenceConverter &converter,
                                 Operator op) {
  StringRef kinds = kindsOfInputs(op);
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    bool last = kinds.ends_with("+") && i + 1 >= kinds.size();
    if (!last && i >= kinds.size())
      return success();
    char kind = last ? kinds[kinds.size() - 2] : kinds[i];
    Value value = converter.input(op, i);
    bool fits = !value        ? kind == 'o'
                : kind == 's' ? isa<SequenceType>(value.getType())
                              : isa<TensorType>(value.getType());
    if (fits)
      continue;
    auto error = op->emitError("convert-onnx-to-sequence: ")
                 << op.opType() << " needs a "
                 << (kind == 's' ? "sequence" : "tensor") << " as input " << i
                 << ", not ";
    return value ? error << value.getType() : error << "nothing";
  }
  return success();
}

LogicalResult ToSequenceConverter::convertOperation(Operation *op) {
  if (auto constant = dyn_cast<OnnxConstantOp>(op)) {
    if (isStrings(constant.getType()))
      return lowerStrings(*this, constant);
    Elements elements = fromAttribute(constant.getValue());
    if (!elements || !convertedType(constant.getType()))
      return op->emitError("convert-onnx-to-sequence: a constant of type ")
             << constant.getType();
    auto type = cast<ShapedType>(constant.getType());
    set(constant, arith::ConstantOp::create(builder, op->getLoc(),
                                            toDenseAttribute(elements, type)));
    return success();
  }
  if (isa<OnnxAbsentOp>(op))
    return success();
  if (auto call = dyn_cast<func::CallOp>(op))
    return convertCall(call);
  Operator onnx = Operator::from(op);
  if (!onnx) {
    if (op->getNumRegions() || isa_and_nonnull<OnnxDialect>(op->getDialect()))
      return op->emitError("convert-onnx-to-sequence: has no lowering");
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, get(operand));
    Operation *copy = builder.clone(*op, mapping);
    for (auto [result, value] :
         llvm::zip_equal(op->getResults(), copy->getResults()))
      set(result, value);
    return success();
  }
  if (onnx.domain() == "onnx-fold" && onnx.opType() == "Keep") // no node
    return success();
  ToSequenceLowering lowering = nullptr;
  if (onnx.domain().empty() && !onnx.isCustom())
    for (auto find : {sequenceLowering, tensorLowering, controlFlowLowering,
                      optionalLowering})
      lowering = lowering ? lowering : find(onnx.opType());
  if (!lowering)
    lowering = lowerToKernel;
  for (Value operand : op->getOperands())
    if (!isAbsent(operand) && !get(operand))
      return op->emitError("convert-onnx-to-sequence: an input of type ")
             << operand.getType() << ", which has no lowering";
  if (failed(checkInputs(*this, onnx)))
    return failure();
  return lowering(*this, onnx);
}

LogicalResult ToSequenceConverter::convertReturn(Operation *terminator,
                                                 ArrayRef<Type> results) {
  // An operation of no dialect may end a block, too.
  if (!isa<func::ReturnOp>(terminator))
    return terminator->emitError("convert-onnx-to-sequence: ends a function, "
                                 "expected func.return");
  SmallVector<Value> returned;
  Operation *op = builder.getInsertionBlock()->getParentOp();
  auto function = cast<func::FuncOp>(op);
  ArrayRef<Type> types = function.getFunctionType().getResults();
  for (auto [operand, said] :
       llvm::zip_equal(terminator->getOperands(), results)) {
    Value value = get(operand);
    Type type = types[returned.size()];
    if (value && isNothing(presence(operand)))
      value = nothing(op->getLoc(), type);
    value = value ? coerce(terminator, value, type) : value;
    if (!value)
      return terminator->emitError("convert-onnx-to-sequence: result ")
             << returned.size() << " of " << function.getName()
             << " has no lowering";
    returned.push_back(value);
    if (!isa<OnnxOptionalType>(said))
      continue;
    Value present = presence(operand);
    returned.push_back(
        present ? present
                : arith::ConstantIntOp::create(builder, op->getLoc(), 1, 1));
  }
  func::ReturnOp::create(builder, terminator->getLoc(), returned);
  return success();
}

/// The program stops where one name of the model is two sizes of its inputs:
/// folding and loops take such sizes for equal.
static void expectEqualSizes(ToSequenceConverter &converter, Location location,
                             ArrayRef<Attribute> dimensions,
                             Block::BlockArgListType arguments) {
  OpBuilder &builder = converter.builder;
  llvm::StringMap<Value> sizes;
  for (auto [argument, names] : llvm::zip_equal(arguments, dimensions)) {
    Value tensor = converter.get(argument);
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    auto list = dyn_cast_or_null<ArrayAttr>(names);
    if (!type || !list || converter.presence(argument))
      continue;
    for (auto [axis, name] :
         llvm::enumerate(list.getAsValueRange<StringAttr>())) {
      if (name.empty() || int64_t(axis) >= type.getRank() ||
          !type.isDynamicDim(axis))
        continue;
      Value size = converter.dim(location, tensor, axis);
      auto [first, isNew] = sizes.try_emplace(name, size);
      if (isNew)
        continue;
      Value same = arith::CmpIOp::create(
          builder, location, arith::CmpIPredicate::eq, first->getValue(), size);
      cf::AssertOp::create(builder, location, same,
                           ("the inputs: dimension '" + name +
                            "' of the model has more than one size")
                               .str());
    }
  }
}

LogicalResult ToSequenceConverter::convertFunction(func::FuncOp function) {
  SmallVector<Type> inputs, results;
  auto convertAll = [&](ArrayRef<Type> types, SmallVector<Type> &converted) {
    for (Type type : types)
      if (failed(appendTypes(type, converted))) {
        function->emitError("convert-onnx-to-sequence: type ")
            << type << " of an argument or result has no lowering";
        return failure();
      }
    return success();
  };
  FunctionType type = function.getFunctionType();
  if (failed(convertAll(type.getInputs(), inputs)) ||
      failed(convertAll(type.getResults(), results)))
    return failure();
  if (!function.isExternal() && !function.getBody().hasOneBlock())
    return function->emitError("convert-onnx-to-sequence: ")
           << function.getBody().getBlocks().size()
           << " blocks, expected one; run it before control flow becomes "
              "blocks";
  Region old;
  old.takeBody(function.getBody());
  // Names of values in the model stand in the attributes of arguments.
  SmallVector<Attribute> dimensions;
  for (unsigned i = 0; i < type.getNumInputs(); ++i)
    dimensions.push_back(function.getArgAttr(i, dimsAttrName));
  function.removeArgAttrsAttr();
  function.removeResAttrsAttr();
  function.setType(FunctionType::get(function.getContext(), inputs, results));
  if (old.empty())
    return success();

  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  unsigned number = 0;
  for (BlockArgument argument : old.getArguments()) {
    bool optional = isa<OnnxOptionalType>(argument.getType());
    Value inside = entry->getArgument(number++);
    setOptional(argument, inside,
                optional ? entry->getArgument(number++) : Value());
  }
  expectEqualSizes(*this, function.getLoc(), dimensions, old.getArguments());
  LogicalResult result = convertBlock(old.front());
  if (succeeded(result))
    result = convertReturn(old.front().getTerminator(), type.getResults());
  old.front().dropAllReferences();
  return result;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// A function has no types of its own: each call says them. So its nodes are
/// converted where it is called.
static void inlineFunctions(ModuleOp module) {
  SmallVector<Operation *> graphs, functions;
  for (auto function : module.getOps<func::FuncOp>())
    (function->hasAttr(domainAttrName) ? functions : graphs)
        .push_back(function);
  inlineCalls(module, graphs);
  for (Operation *function : functions)
    function->erase();
}

namespace {
struct ConvertOnnxToSequencePass
    : onnxfold::impl::ConvertOnnxToSequencePassBase<ConvertOnnxToSequencePass> {
  using Base::Base;

  void runOnOperation() override {
    inlineFunctions(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(ToSequenceConverter(&getContext()).convertFunction(function)))
        return signalPassFailure();
    // It is no model any more.
    SmallVector<StringAttr> names;
    for (NamedAttribute attribute : getOperation()->getDiscardableAttrs())
      if (attribute.getName().strref().starts_with("onnx."))
        names.push_back(attribute.getName());
    for (StringAttr name : names)
      getOperation()->removeDiscardableAttr(name);
  }
};
} // namespace
