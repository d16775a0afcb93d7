//===- RuntimeCalls.h - Calls of the run-time library -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The calls that convert-seq-to-memref makes to runtime/Runtime.h: element
// types, descriptors of memrefs, and the functions themselves.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_SEQUENCE_TRANSFORMS_INTERNAL_RUNTIMECALLS_H
#define ONNXFOLD_SEQUENCE_TRANSFORMS_INTERNAL_RUNTIMECALLS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringMap.h"

namespace onnxfold::sequence {

/// The number of an element type in the run-time library: kind << 16 | bits,
/// with the kinds 1 signless, 2 unsigned, 3 index, 4 IEEE float, 5 signed, 6
/// complex, 7 other floats (with the number of their semantics << 8).
uint32_t elementCode(mlir::Type elementType);

/// The bytes of an element in a memref; nothing for a type that a memref of
/// the run time cannot have.
std::optional<int64_t> elementBytes(mlir::Type elementType);

/// A table of the functions and globals that calls need: a module finds a name
/// by a linear search.
class RuntimeSymbols {
public:
  explicit RuntimeSymbols(mlir::Operation *module);

  /// The symbol of that name. If there is none, `make` creates it at the
  /// beginning of the module.
  mlir::Operation *
  get(llvm::StringRef name,
      llvm::function_ref<mlir::Operation *(mlir::OpBuilder &)> make);

private:
  mlir::Operation *module;
  llvm::StringMap<mlir::Operation *> known;
};

/// Makes calls at a place.
class RuntimeCalls {
public:
  RuntimeCalls(mlir::OpBuilder &builder, mlir::Location location,
               const mlir::LLVMTypeConverter &converter,
               RuntimeSymbols &symbols, mlir::Operation *at);

  /// Calls the function of that name, and declares it if necessary. `result` is
  /// null if it has none.
  mlir::Value call(llvm::StringRef name, mlir::Type result,
                   mlir::ValueRange arguments);

  /// Calls a function that does not return, if the condition holds. The branch
  /// is in a function of the module: a branch at the place of the call would
  /// split the block and move its rest, so that n calls would take quadratic
  /// time.
  void callIf(mlir::Value condition, llvm::StringRef name,
              mlir::ValueRange arguments);

  mlir::Value i64(int64_t value);
  mlir::Value i32(uint32_t value);
  mlir::Value toI64(mlir::Value index);
  mlir::Value toIndex(mlir::Value i64);
  mlir::Type pointer() { return pointerType; }

  /// The address `bytes` behind `base`.
  mlir::Value address(mlir::Value base, int64_t bytes);
  mlir::Value load(mlir::Type type, mlir::Value address);
  void store(mlir::Value value, mlir::Value address);

  /// An array of these i64 on the stack. It is allocated at the beginning of
  /// the function, so that loops do not grow the stack.
  mlir::Value array(mlir::ValueRange values);

  /// Stack memory for the descriptor of an unranked memref, allocated at the
  /// beginning of the function.
  mlir::Value descriptorSlot();

  /// The arguments (code, bytes, rank, descriptor) by which a memref is passed
  /// to the run-time library.
  llvm::SmallVector<mlir::Value> bufferArguments(mlir::Value buffer);

  /// A null-terminated string.
  mlir::Value text(llvm::StringRef value);

  /// The address of a global pointer, one for each text, that is null when the
  /// program starts.
  mlir::Value slotOf(llvm::StringRef text);

  /// Casts a value to the type to which it is converted later, or back.
  mlir::Value reinterpret(mlir::Value value, mlir::Type type);

private:
  mlir::LLVM::LLVMFuncOp declare(llvm::StringRef name, mlir::Type result,
                                 mlir::TypeRange arguments);
  mlir::Value onStack(mlir::Type type, int64_t count);
  mlir::Value global(llvm::StringRef name, mlir::Type type,
                     mlir::Attribute value, bool isConstant);

  mlir::OpBuilder &builder;
  mlir::Location location;
  const mlir::LLVMTypeConverter &converter;
  RuntimeSymbols &symbols;
  mlir::Operation *function;
  mlir::Type pointerType;
};

} // namespace onnxfold::sequence

#endif // ONNXFOLD_SEQUENCE_TRANSFORMS_INTERNAL_RUNTIMECALLS_H
