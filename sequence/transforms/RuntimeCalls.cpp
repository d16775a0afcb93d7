//===- RuntimeCalls.cpp - Calls of the run-time library -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/sequence/transforms/internal/RuntimeCalls.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/DJB.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace onnxfold::sequence;

uint32_t onnxfold::sequence::elementCode(Type type) {
  if (type.isIndex())
    return 3 << 16 | 64;
  if (auto integer = dyn_cast<IntegerType>(type))
    return (integer.isSignless()   ? 1
            : integer.isUnsigned() ? 2
                                   : 5)
               << 16 |
           integer.getWidth();
  if (auto complex = dyn_cast<ComplexType>(type))
    return 6 << 16 | (elementCode(complex.getElementType()) & 0xffff) |
           (isa<FloatType>(complex.getElementType()) ? 0 : 1 << 15);
  auto real = dyn_cast<FloatType>(type);
  if (!real)
    return 0; // no type of the run time
  if (real.isF16() || real.isF32() || real.isF64())
    return 4 << 16 | real.getWidth();
  auto semantics = llvm::APFloat::SemanticsToEnum(real.getFloatSemantics());
  return 7 << 16 | uint32_t(semantics) << 8 | real.getWidth();
}

std::optional<int64_t> onnxfold::sequence::elementBytes(Type type) {
  if (type.isIndex())
    return 8;
  if (auto complex = dyn_cast<ComplexType>(type)) {
    auto part = elementBytes(complex.getElementType());
    return part ? std::optional(2 * *part) : std::nullopt;
  }
  if (!type.isIntOrFloat())
    return std::nullopt;
  return llvm::PowerOf2Ceil(llvm::divideCeil(type.getIntOrFloatBitWidth(), 8));
}

//===----------------------------------------------------------------------===//
// Functions of the module
//===----------------------------------------------------------------------===//

RuntimeSymbols::RuntimeSymbols(Operation *module) : module(module) {
  for (Operation &op : module->getRegion(0).front())
    if (isa<LLVM::LLVMFuncOp, LLVM::GlobalOp>(op))
      known[SymbolTable::getSymbolName(&op).getValue()] = &op;
}

Operation *
RuntimeSymbols::get(StringRef name,
                    llvm::function_ref<Operation *(OpBuilder &)> make) {
  Operation *&symbol = known[name];
  if (!symbol) {
    auto builder = OpBuilder::atBlockBegin(&module->getRegion(0).front());
    symbol = make(builder);
  }
  return symbol;
}

RuntimeCalls::RuntimeCalls(OpBuilder &builder, Location location,
                           const LLVMTypeConverter &converter,
                           RuntimeSymbols &symbols, Operation *at)
    : builder(builder), location(location), converter(converter),
      symbols(symbols), function(at->getParentOfType<FunctionOpInterface>()),
      pointerType(LLVM::LLVMPointerType::get(builder.getContext())) {}

LLVM::LLVMFuncOp RuntimeCalls::declare(StringRef name, Type result,
                                       TypeRange arguments) {
  Operation *symbol = symbols.get(name, [&](OpBuilder &builder) -> Operation * {
    auto type =
        LLVM::LLVMFunctionType::get(result, SmallVector<Type>(arguments));
    return LLVM::LLVMFuncOp::create(builder, builder.getUnknownLoc(), name,
                                    type);
  });
  return cast<LLVM::LLVMFuncOp>(symbol);
}

Value RuntimeCalls::call(StringRef name, Type result, ValueRange arguments) {
  Type returned =
      result ? result : LLVM::LLVMVoidType::get(builder.getContext());
  auto call = LLVM::CallOp::create(
      builder, location, declare(name, returned, arguments.getTypes()),
      arguments);
  return result ? call.getResult() : Value();
}

/// The body of a function that calls `callee` with the rest of its arguments, if
/// the first one holds.
static void addBranch(LLVM::LLVMFuncOp function, LLVM::LLVMFuncOp callee) {
  Location location = function.getLoc();
  OpBuilder builder(function.getContext());
  function.setLinkage(LLVM::Linkage::Internal);
  Block *entry = function.addEntryBlock(builder);
  Block *stop = builder.createBlock(&function.getBody());
  LLVM::CallOp::create(builder, location, callee,
                       entry->getArguments().drop_front());
  LLVM::UnreachableOp::create(builder, location);
  Block *done = builder.createBlock(&function.getBody());
  LLVM::ReturnOp::create(builder, location, ValueRange());
  builder.setInsertionPointToEnd(entry);
  LLVM::CondBrOp::create(builder, location, entry->getArgument(0), stop, done);
}

void RuntimeCalls::callIf(Value condition, StringRef name,
                          ValueRange arguments) {
  Type nothing = LLVM::LLVMVoidType::get(builder.getContext());
  LLVM::LLVMFuncOp callee = declare(name, nothing, arguments.getTypes());
  SmallVector<Value> all = {condition};
  all.append(arguments.begin(), arguments.end());
  LLVM::LLVMFuncOp branch =
      declare((name + "If").str(), nothing, ValueRange(all).getTypes());
  if (branch.isExternal())
    addBranch(branch, callee);
  LLVM::CallOp::create(builder, location, branch, all);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value RuntimeCalls::i64(int64_t value) {
  return arith::ConstantIntOp::create(builder, location, value, 64);
}

Value RuntimeCalls::i32(uint32_t value) {
  return arith::ConstantIntOp::create(builder, location, value, 32);
}

Value RuntimeCalls::toI64(Value index) {
  return arith::IndexCastOp::create(builder, location, builder.getI64Type(),
                                    index);
}

Value RuntimeCalls::toIndex(Value i64) {
  return arith::IndexCastOp::create(builder, location, builder.getIndexType(),
                                    i64);
}

Value RuntimeCalls::address(Value base, int64_t bytes) {
  return LLVM::GEPOp::create(builder, location, pointerType,
                             builder.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>(int32_t(bytes)));
}

Value RuntimeCalls::load(Type type, Value address) {
  return LLVM::LoadOp::create(builder, location, type, address);
}

void RuntimeCalls::store(Value value, Value address) {
  LLVM::StoreOp::create(builder, location, value, address);
}

Value RuntimeCalls::onStack(Type type, int64_t count) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function->getRegion(0).front());
  Value size = arith::ConstantIntOp::create(builder, location, count, 64);
  return LLVM::AllocaOp::create(builder, location, pointerType, type, size,
                                /*alignment=*/8);
}

Value RuntimeCalls::array(ValueRange values) {
  Value array =
      onStack(builder.getI64Type(), std::max<int64_t>(values.size(), 1));
  for (auto [i, value] : llvm::enumerate(values))
    store(value, address(array, i * 8));
  return array;
}

Value RuntimeCalls::descriptorSlot() {
  // runtime/Runtime.h: maxKeptRank
  constexpr int64_t words = 3 + 2 * 64;
  return onStack(builder.getI64Type(), words);
}

SmallVector<Value> RuntimeCalls::bufferArguments(Value buffer) {
  auto type = cast<BaseMemRefType>(buffer.getType());
  Value descriptor =
      reinterpret(buffer, converter.convertType(buffer.getType()));
  Value rank, place;
  if (auto ranked = dyn_cast<MemRefType>(type)) {
    rank = i64(ranked.getRank());
    place = onStack(descriptor.getType(), 1);
    store(descriptor, place);
  } else {
    UnrankedMemRefDescriptor unranked(descriptor);
    rank = unranked.rank(builder, location);
    place = unranked.memRefDescPtr(builder, location);
  }
  Type element = type.getElementType();
  return {i32(elementCode(element)), i64(elementBytes(element).value_or(0)),
          rank, place};
}

Value RuntimeCalls::global(StringRef name, Type type, Attribute value,
                           bool isConstant) {
  symbols.get(name, [&](OpBuilder &builder) -> Operation * {
    return LLVM::GlobalOp::create(builder, builder.getUnknownLoc(), type,
                                  isConstant, LLVM::Linkage::Internal, name,
                                  value);
  });
  return LLVM::AddressOfOp::create(builder, location, pointerType, name);
}

/// A name for what belongs to a text; long texts have a short one.
static std::string nameFor(StringRef prefix, StringRef text) {
  if (text.size() <= 200)
    return (prefix + text).str();
  return (prefix + Twine::utohexstr(llvm::xxh3_64bits(text)) +
          Twine::utohexstr(llvm::djbHash(text)))
      .str();
}

Value RuntimeCalls::text(StringRef value) {
  std::string text = value.str() + '\0';
  return global(nameFor("onnxfold_sequence_text_", value),
                LLVM::LLVMArrayType::get(builder.getI8Type(), text.size()),
                builder.getStringAttr(text), /*isConstant=*/true);
}

Value RuntimeCalls::slotOf(StringRef text) {
  return global(nameFor("onnxfold_sequence_slot_", text), builder.getI64Type(),
                builder.getI64IntegerAttr(0), /*isConstant=*/false);
}

Value RuntimeCalls::reinterpret(Value value, Type type) {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(builder, location, type, value)
      .getResult(0);
}
