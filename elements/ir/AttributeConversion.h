//===- AttributeConversion.h - From Elements to IR and back -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Moves values into the IR and out of it.
//
//   ElementsAttr attr = toAttribute(elements, type);
//   Elements x = fromAttribute(attr);
//   if (!x) ...                               // e.g. i128, an elided resource
//
// Operations. applyTo calls any function of Elements on attributes:
//
//   // y = a + b, of the result type of the operation
//   ElementsAttr y = applyTo(type, [](Elements a, Elements b) {
//     return zip(a, b, [](auto u, auto v) { return add(u, v); });
//   }, a, b);
//   if (!y) return failure();
//
//   group            functions (header; * member of Elements)
//   unary            map, mapFloat, mapTo (Elementwise.h); mapWide with Math.h
//   binary           zip, zipTo (Elementwise.h) with Arithmetic.h; zipWide
//   ternary          select (where), clip (Elementwise.h)
//   cast             cast (Elementwise.h); parseStrings, formatStrings
//                    (StringCast.h)
//   of one's own     mapAs, zipAs, mapBlocks (Elementwise.h), fromReader*
//   views            transpose*, reshape*, expand*, squeeze*, unsqueeze*,
//                    slice* (also negative steps), split*
//   joining          concat, tile, pad in all modes (DataMovement.h)
//   gathering        gather, gatherND, gatherElements, compress
//                    (DataMovement.h)
//   scattering       scatterElements, scatterND, with reductions
//                    (DataMovement.h)
//   reductions       reduce, all, any, argReduce (Reduce.h); reduceWith any
//                    monoid (ReduceWith.h)
//   scans            cumulativeSum, cumulativeProduct (Reduce.h); scanWith
//                    (ReduceWith.h)
//   order            sort, argSort, unique (Sort.h); topK, nonZero, softmax
//                    (Reduce.h)
//   filling          splat*, range, iota, eye, oneHot (Generate.h), trilu
//                    (DataMovement.h); without operands simply toAttribute
//   products         matmul, gemm (MatMul.h)
//   quantisation     quantize, dequantize (Quantize.h)
//   equality         identicalTo*, contentHash (ContentHash.h)
//
//   applyTo({}, [](Elements x) { return x.transpose({1, 0}); }, attr);
//   applyTo({}, [](Elements x) { return cast(x, DataType::Float16); }, attr);
//   applyTo({}, [](Elements c, Elements x, Elements y) {
//     return select(c, x, y);
//   }, condition, a, b);
//   applyTo({}, [](Elements x) {
//     return x.slice(Shape{3}, Shape{4}, Shape{-1}); // the last four, reversed
//   }, attr);
//   applyTo({}, [](ArrayRef<Elements> x) { return concat(x, 0); }, attrs);
//   applyTo({}, [](Elements x, Elements i) { return gather(x, i, 0); }, x, i);
//   applyTo({}, [](Elements x) {
//     return reduce(x, {0}, false, Reduction::Sum);
//   }, attr);
//   applyTo({}, [](Elements x) { return topK(x, 3, 0, true).indices; }, attr);
//   applyTo({}, [](Elements a, Elements b) { return matmul(a, b); }, a, b);
//
// A function with several results (split, topK, unique) is called directly:
//
//   for (Elements part : fromAttribute(attr).split(0, {2, 3}))
//     parts.push_back(toAttribute(part, typeLike(part, attr)));
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
// Thread safety: all functions may be called from any thread. Errors: a
// function returns null where its comment says so. Everything else is a
// precondition: the caller checks what an operation requires of its operands.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_IR_ATTRIBUTECONVERSION_H
#define ONNXFOLD_ELEMENTS_IR_ATTRIBUTECONVERSION_H

#include "onnxfold/elements/Elements.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include <concepts>
#include <utility>

namespace mlir {
class AsmResourceBlob;
class DenseElementsAttr;
class RankedTensorType;
} // namespace mlir

namespace onnxfold {

/// The DataType that an element type stands for; Undefined for builtin types
/// that have none (i3, i128, f80, tf32, complex<i32> ...). No element type
/// stands for Opaque.
DataType toDataType(mlir::Type elementType);

/// The builtin type of a DataType; null for String, Opaque and Undefined.
mlir::Type toElementType(DataType type, mlir::MLIRContext *context);

/// tensor<...> of the shape and type of `elements`. REQUIRES: its DataType has
/// a builtin type.
mlir::RankedTensorType toTensorType(const Elements &elements,
                                    mlir::MLIRContext *context);

/// Values of at most this many bytes become DenseElementsAttr. Equal values are
/// then the same attribute, as CSE and the folder expect of the many small
/// constants, and a copy that lives as long as the context costs less than the
/// bookkeeping of a disposable attribute.
inline constexpr uint64_t denseAttributeLimit = 256;

/// `elements` as an attribute of type `type`. It becomes a DenseElementsAttr if
/// it is small (see above), known as a splat, or empty; else a
/// DisposableElementsAttr. The decision reads no element; a small value is then
/// computed. REQUIRES: as DisposableElementsAttr::get.
mlir::ElementsAttr toAttribute(const Elements &elements, mlir::ShapedType type);

/// The value as a DenseElementsAttr, which lives as long as the context.
/// REQUIRES: as DisposableElementsAttr::get.
mlir::DenseElementsAttr toDenseAttribute(const Elements &elements,
                                         mlir::ShapedType type);

/// The value as the data of a DenseResourceElementsAttr, where each element
/// takes one or more bytes, also of i1 and the other types narrower than a
/// byte. The blob refers to the bytes in place if possible, and keeps them
/// readable. REQUIRES: the type is neither String nor Opaque.
mlir::AsmResourceBlob toResourceBlob(const Elements &elements);

/// The value of any attribute. A DisposableElementsAttr gives its own handle.
/// DenseElementsAttr and DenseResourceElementsAttr give their raw bytes without
/// a copy, which are valid while the context lives and the resource is not
/// replaced. Only types narrower than a byte, i1 included, are copied where
/// their forms differ (RawData.h). Strings refer to the attribute's characters.
/// Any other ElementsAttr is read element by element.
/// Null if the element type has no DataType, if the attribute is elided, if a
/// resource has no data or not as many bytes as its type needs, or if the
/// attribute cannot be iterated. Ends the program for a disposed attribute.
Elements fromAttribute(mlir::ElementsAttr attr);

/// The tensor type of a value that was computed from `operands`. Its element
/// type is that of the first operand of the same DataType (which keeps index,
/// si8 and string types), or else the builtin one. Null if there is neither.
mlir::RankedTensorType typeLike(const Elements &elements,
                                llvm::ArrayRef<mlir::ElementsAttr> operands);

/// f of the values of `operands` as an attribute of `type`, which toAttribute
/// makes. If `type` is null, the type is typeLike of the result. Null if an
/// operand is null or cannot be read (see fromAttribute), if the result is
/// null, if it does not have the shape and DataType of `type`, or if there is
/// no type. f is called only if all operands can be read. Deferred results are
/// not computed, unless they are small.
mlir::ElementsAttr
applyTo(mlir::ShapedType type,
        llvm::function_ref<Elements(llvm::ArrayRef<Elements>)> f,
        llvm::ArrayRef<mlir::ElementsAttr> operands);

/// The same with f(Elements, Elements, ...).
template <class F, std::convertible_to<mlir::ElementsAttr>... Attrs>
mlir::ElementsAttr applyTo(mlir::ShapedType type, F f, Attrs... operands) {
  auto call = [&](llvm::ArrayRef<Elements> values) {
    return [&]<size_t... I>(std::index_sequence<I...>) {
      return f(values[I]...);
    }
    (std::index_sequence_for<Attrs...>());
  };
  return applyTo(
      type, llvm::function_ref<Elements(llvm::ArrayRef<Elements>)>(call),
      llvm::ArrayRef<mlir::ElementsAttr>({mlir::ElementsAttr(operands)...}));
}

/// The bytes of the raw buffer of a DenseElementsAttr with these values, all of
/// them also for a splat: `#elements.dense` prints them as hex.
/// REQUIRES: the type is neither String nor Opaque.
std::vector<char> toRawBuffer(const Elements &elements);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_IR_ATTRIBUTECONVERSION_H
