//===- ElementsAttrBuilder.h - From Elements to IR and back -----*- C++ -*-===//
//
// The way of values into the IR and out of it.
//
//   ElementsAttr attr = toAttribute(elements, type);
//   Elements x = fromAttribute(attr);
//   if (!x) ...                               // e.g. i128, an elided resource
//
// Types. A builtin type stands for each DataType (signless = signed, i1 =
// bool, index = i64):
//
//   f16 bf16 f32 f64  f8E4M3FN f8E4M3FNUZ f8E5M2 f8E5M2FNUZ f8E8M0FNU
//   f6E2M3FN f6E3M2FN f4E2M1FN   i1 i2 i4 i8 i16 i32 i64   ui2 ui4 ui8 ... ui64
//   complex<f32> complex<f64>
//
// `si8` and the like are read as their signless type. Every type that is not
// builtin stands for String, as in DenseElementsAttr.
//
// Thread safety: all functions may be called from any thread. Errors: a null
// result where said; the rest are preconditions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_ELEMENTSATTRBUILDER_H
#define ONNXFOLD_ELEMENTS_ELEMENTSATTRBUILDER_H

#include "onnxfold/elements/Elements.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"

namespace mlir {
class DenseElementsAttr;
class RankedTensorType;
} // namespace mlir

namespace onnxfold {

/// The DataType that an element type stands for; Undefined for builtin types
/// that have none (i3, i128, f80, tf32, complex<i32> ...). Symbol has none.
DataType toDataType(mlir::Type elementType);

/// The builtin type of a DataType; null for String, Symbol and Undefined.
mlir::Type toElementType(DataType type, mlir::MLIRContext *context);

/// tensor<...> of the shape and type of `elements`. REQUIRES: not String.
mlir::RankedTensorType toTensorType(const Elements &elements,
                                    mlir::MLIRContext *context);

/// Values of at most this many bytes become DenseElementsAttr: equal ones are
/// then one attribute, which CSE and the folder want of the many small
/// constants, and a copy that lives as long as the context costs less than the
/// bookkeeping of a disposable one.
inline constexpr uint64_t denseAttributeLimit = 256;

/// `elements` as an attribute of type `type`: a DenseElementsAttr if it is
/// small (above), a splat that is known as one, or empty, else a
/// DisposableElementsAttr. To decide reads nothing; a small value is computed.
/// REQUIRES: as DisposableElementsAttr::get.
mlir::ElementsAttr toAttribute(const Elements &elements, mlir::ShapedType type);

/// The value as a DenseElementsAttr, which lives as long as the context.
/// REQUIRES: as DisposableElementsAttr::get.
mlir::DenseElementsAttr toDenseAttribute(const Elements &elements,
                                         mlir::ShapedType type);

/// The value of any attribute. No bytes are copied for a DisposableElementsAttr
/// (its own handle), nor for DenseElementsAttr and DenseResourceElementsAttr
/// (their raw bytes, valid while the context lives and the resource is not
/// replaced) except where the forms in memory differ: i1 packed eight to a byte
/// and the other types narrower than a byte. Strings refer to the attribute's
/// characters. Any other ElementsAttr is read element by element.
/// Null if the element type has no DataType, if an attribute is elided, if a
/// resource has no data or not as many bytes as its type needs, and for
/// attributes that cannot be iterated. Ends the program for a disposed one.
Elements fromAttribute(mlir::ElementsAttr attr);

/// The bytes of a DenseElementsAttr's raw buffer that has these values (not the
/// form of a splat): `#elements.dense` prints them as hex.
/// REQUIRES: not String or Symbol.
std::vector<char> toRawBuffer(const Elements &elements);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_ELEMENTSATTRBUILDER_H
