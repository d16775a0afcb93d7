//===- MlirC.cpp - onnx-fold for users of MLIR's C API --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/memory/Buffer.h"
#include "onnxfold/gc/Collector.h"
#include "onnxfold/gc/DisposablePool.h"
#include "onnxfold/upstream/MlirText.h"
#include "onnxfold/upstream/plugin/Registration.h"
#include "onnxfold/upstream/plugin/onnx_fold_mlir.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Transforms/Passes.h"

using namespace onnxfold;

void onnxFoldRegisterDialects(MlirDialectRegistry registry) {
  unwrap(registry)
      ->insert<mlir::arith::ArithDialect, mlir::func::FuncDialect,
               mlir::linalg::LinalgDialect, mlir::math::MathDialect,
               mlir::ml_program::MLProgramDialect, mlir::scf::SCFDialect,
               mlir::tensor::TensorDialect, mlir::tosa::TosaDialect>();
  registerPluginDialects(*unwrap(registry));
}

void onnxFoldRegisterPasses(void) {
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerSymbolDCEPass();
  registerPluginPasses();
}

MlirLogicalResult onnxFoldCheckText(MlirContext context, MlirStringRef text) {
  llvm::Error refused = checkMlirText(unwrap(text));
  if (!refused)
    return mlirLogicalResultSuccess();
  mlir::emitError(mlir::UnknownLoc::get(unwrap(context)))
      << llvm::toString(std::move(refused));
  return mlirLogicalResultFailure();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The size of a value in memory; none if it cannot be one.
static std::optional<uint64_t> bytesOf(mlir::ShapedType type) {
  auto vector = mlir::dyn_cast_if_present<mlir::VectorType>(type);
  if (vector ? vector.isScalable()
             : !mlir::isa_and_present<mlir::TensorType>(type))
    return std::nullopt;
  DataType element = toDataType(type.getElementType());
  if (element == DataType::Undefined || element == DataType::String ||
      element == DataType::Opaque || !type.hasStaticShape())
    return std::nullopt;
  uint64_t bytes = byteWidth(element);
  for (int64_t size : type.getShape())
    if (__builtin_mul_overflow(bytes, uint64_t(size), &bytes))
      return std::nullopt;
  return bytes;
}

MlirAttribute onnxFoldElementsAttrGet(MlirType type, const void *bytes,
                                      size_t size, void (*release)(void *),
                                      void *userData) {
  auto shaped = mlir::dyn_cast<mlir::ShapedType>(unwrap(type));
  if (bytesOf(shaped) != size || (!bytes && size != 0))
    return {nullptr};
  shaped.getContext()->getOrLoadDialect<ElementsDialect>();
  std::function<void()> released;
  if (release)
    released = [release, userData] { release(userData); };
  BufferRef buffer =
      foreignBuffer({static_cast<const char *>(bytes), size}, released);
  Elements value = Elements::fromBuffer(toDataType(shaped.getElementType()),
                                        shaped.getShape(), std::move(buffer));
  return wrap(
      mlir::Attribute(DisposableElementsAttr::get(shaped, std::move(value))));
}

bool onnxFoldAttributeIsElements(MlirAttribute attribute) {
  auto elements =
      mlir::dyn_cast_or_null<DisposableElementsAttr>(unwrap(attribute));
  return elements && !elements.isDisposed() && !elements.isElided();
}

/// Null if the library cannot read it.
static Elements valueOf(MlirAttribute attribute) {
  mlir::Attribute given = unwrap(attribute);
  auto disposable = mlir::dyn_cast_or_null<DisposableElementsAttr>(given);
  auto elements = mlir::dyn_cast_or_null<mlir::ElementsAttr>(given);
  if (!elements || (disposable && !onnxFoldAttributeIsElements(attribute)) ||
      !bytesOf(elements.getShapedType()))
    return {};
  return fromAttribute(elements);
}

int64_t onnxFoldElementsSize(MlirAttribute attribute) {
  return valueOf(attribute)
             ? *bytesOf(mlir::cast<mlir::ElementsAttr>(unwrap(attribute))
                            .getShapedType())
             : -1;
}

MlirLogicalResult onnxFoldElementsRead(MlirAttribute attribute, void *bytes,
                                       size_t size) {
  Elements value = valueOf(attribute);
  if (!value || onnxFoldElementsSize(attribute) != int64_t(size))
    return mlirLogicalResultFailure();
  if (size != 0)
    Elements::Reader(value, Elements::Reader::Access::Once).readAll(bytes);
  return mlirLogicalResultSuccess();
}

//===----------------------------------------------------------------------===//
// Liveness
//===----------------------------------------------------------------------===//

OnnxFoldRoot onnxFoldRootCreate(MlirOperation module) {
  return {new ModuleRoot(unwrap(module))};
}

void onnxFoldRootDestroy(OnnxFoldRoot root) {
  delete static_cast<ModuleRoot *>(root.ptr);
}

OnnxFoldPin onnxFoldPinCreate(MlirAttribute attribute) {
  return {new AttributePin(unwrap(attribute))};
}

void onnxFoldPinDestroy(OnnxFoldPin pin) {
  delete static_cast<AttributePin *>(pin.ptr);
}

void onnxFoldAddCollector(MlirPassManager passManager) {
  addCollector(*unwrap(passManager));
}

size_t onnxFoldCollect(MlirContext context) {
  return DisposablePool::get(unwrap(context)).collect();
}

OnnxFoldStatistics onnxFoldGetStatistics(MlirContext context) {
  DisposableStatistics all = DisposablePool::get(unwrap(context)).statistics();
  return {all.created,   all.disposed,      all.liveBytes,
          all.peakBytes, all.disposedBytes, all.collections};
}
