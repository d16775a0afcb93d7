//===- DisposableElementsAttr.h - Elements as an attribute ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// `#elements.dense<...>` is an ElementsAttr that holds an Elements handle, so
// that a value enters the IR without copying and its memory can be freed again.
// MLIR keeps attributes as long as the context lives. This one bypasses the
// uniquer (its key is a number of its own), and gc drops the handle when no
// operation refers to the attribute any more. A slot of 32 bytes remains, which
// is never reused. So reading a disposed attribute is always diagnosed (the
// program ends with a message, in release builds too), and never undefined.
//
//   auto attr = DisposableElementsAttr::get(type, elements);
//   Elements same = attr.getElements();                  // no copy
//   for (float v : attr.getValues<float>()) ...          // or by the interface
//
// Two attributes are equal only if they are the same attribute: attributes of
// equal contents are not merged. Prefer toAttribute (AttributeConversion.h),
// which makes small values ordinary DenseElementsAttr.
//
// Ownership: the attribute owns its handle until gc disposes it. C++ code that
// holds a DisposableElementsAttr across a collection needs an AttributePin
// (gc/DisposablePool.h). Thread safety: attributes may be made and read from
// any thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_IR_DISPOSABLEELEMENTSATTR_H
#define ONNXFOLD_ELEMENTS_IR_DISPOSABLEELEMENTSATTR_H

#include "onnxfold/elements/Elements.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"

namespace onnxfold {

class DisposableStore;

namespace detail {
struct DisposableStorage;
struct LiveValue;
} // namespace detail

class DisposableElementsAttr
    : public mlir::Attribute::AttrBase<
          DisposableElementsAttr, mlir::Attribute, detail::DisposableStorage,
          mlir::TypedAttr::Trait, mlir::ElementsAttr::Trait> {
public:
  using Base::Base;
  static constexpr llvm::StringLiteral name = "elements.dense";
  static constexpr llvm::StringLiteral mnemonic = "dense";

  /// A new attribute. REQUIRES: the ElementsDialect is loaded; `elements` is
  /// not null, not of type Opaque, and has the shape of `type` and the DataType
  /// of its element type (toDataType in AttributeConversion.h).
  static DisposableElementsAttr get(mlir::ShapedType type, Elements elements);

  /// An attribute without data, to which `#elements.dense<__elided__>` is
  /// parsed: the values were left out when it was printed.
  static DisposableElementsAttr getElided(mlir::ShapedType type);

  /// The value; null if elided. Ends the program if disposed.
  Elements getElements() const;

  bool isDisposed() const;
  bool isElided() const;

  /// A number that is unique in the context, for messages.
  uint32_t getId() const;

  //===--- ElementsAttr -------------------------------------------------===//

  mlir::ShapedType getType() const;
  /// Whether all elements are known to be equal without reading them.
  bool isSplat() const;
  /// Iterates the C++ types that a DenseElementsAttr of the same element type
  /// iterates, and no others. A value that is not contiguous is computed, after
  /// a few reads of single elements, into memory that the iterators own. Fails
  /// if the attribute is elided.
  mlir::FailureOr<mlir::detail::ElementsAttrIndexer>
  getValuesImpl(mlir::TypeID elementId) const;

  template <class T> auto getValues() const {
    return mlir::ElementsAttr(*this).getValues<T>();
  }
  template <class T> auto tryGetValues() const {
    return mlir::ElementsAttr(*this).tryGetValues<T>();
  }
  template <class T> auto value_begin() const {
    return mlir::ElementsAttr(*this).value_begin<T>();
  }

private:
  friend class DisposableStore;
};

} // namespace onnxfold

MLIR_DECLARE_EXPLICIT_TYPE_ID(onnxfold::DisposableElementsAttr)

#endif // ONNXFOLD_ELEMENTS_IR_DISPOSABLEELEMENTSATTR_H
