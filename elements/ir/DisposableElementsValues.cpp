//===- DisposableElementsValues.cpp - Iteration by the interface ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// ElementsAttr::getValues<T> of disposable attributes, for MLIR's generic code.
// Which C++ types an element type gives is DenseElementsAttr's rule, so that
// code that was tested with one works with the other.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ir/DisposableElementsAttr.h"
#include "onnxfold/widenum/Dispatch.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/Sequence.h"

using namespace onnxfold;
using mlir::detail::ElementsAttrIndexer;
using MaybeIndexer = mlir::FailureOr<ElementsAttrIndexer>;

namespace {

/// What iterators read and share. Where the bytes do not lie ready, the first
/// few elements are read one by one, so that a look at one element of a large
/// transposed view is cheap; then all are copied (of a splat, one).
class Values {
public:
  Values(const Elements &elements, bool splat)
      : elements(elements), reader(elements),
        count(splat ? 1 : elements.size()), width(byteWidth(elements.type())),
        bytes(static_cast<const char *>(reader.contiguous())) {}

  template <class T> T at(int64_t i) const {
    T result;
    load(i, &result, sizeof(T));
    return result;
  }
  /// The bits of part `part` of element i, which has parts of `partWidth`
  /// bytes.
  uint64_t bits(int64_t i, unsigned part, unsigned partWidth) const {
    char element[16];
    load(i, element, width);
    uint64_t result = 0;
    std::memcpy(&result, element + part * partWidth, partWidth);
    return result;
  }
  unsigned elementWidth() const { return width; }

private:
  static constexpr unsigned singleReads = 16;

  void load(int64_t i, void *out, unsigned size) const {
    const char *ready = bytes.load(std::memory_order_acquire);
    if (!ready && reads.fetch_add(1, std::memory_order_relaxed) < singleReads)
      return reader.read(i, 1, out);
    if (!ready)
      ready = copyAll();
    std::memcpy(out, ready + i * size, size);
  }

  const char *copyAll() const {
    std::lock_guard<std::mutex> lock(mutex);
    if (!copy) {
      copy = llvm::makeIntrusiveRefCnt<HeapBuffer>(count * width);
      if (count == elements.size())
        elements.read(copy->data());
      else
        reader.read(0, count, copy->data());
      bytes.store(copy->data(), std::memory_order_release);
    }
    return copy->data();
  }

  Elements elements;
  Elements::Reader reader;
  int64_t count;
  unsigned width;
  mutable std::atomic<const char *> bytes;
  mutable std::atomic<unsigned> reads = 0;
  mutable std::mutex mutex; // guards copy
  mutable llvm::IntrusiveRefCntPtr<HeapBuffer> copy;
};

/// The values and the type, which all accessors below need.
struct Source {
  std::shared_ptr<const Values> values;
  mlir::Type elementType;
  bool splat;

  /// An indexer whose element i is function(i).
  template <class F> ElementsAttrIndexer mapped(F function) const {
    return ElementsAttrIndexer::nonContiguous(
        splat, llvm::map_iterator(llvm::seq<int64_t>(0, 1).begin(),
                                  std::move(function)));
  }

  template <class T> ElementsAttrIndexer native() const {
    return mapped(
        [values = values](int64_t i) -> T { return values->at<T>(i); });
  }
};

} // namespace

/// The integer at i with as many bits as its MLIR type.
static llvm::APInt integerAt(const Values &values, unsigned bits, int64_t i) {
  return llvm::APInt(bits, values.bits(i, 0, values.elementWidth()),
                     /*isSigned=*/false, /*implicitTrunc=*/true);
}

static llvm::APFloat floatAt(const Values &values,
                             const llvm::fltSemantics &semantics, int64_t i,
                             unsigned part, unsigned parts) {
  uint64_t bits = values.bits(i, part, values.elementWidth() / parts);
  return llvm::APFloat(
      semantics, llvm::APInt(llvm::APFloat::getSizeInBits(semantics), bits));
}

static std::complex<llvm::APFloat>
complexAt(const Values &values, const llvm::fltSemantics &semantics,
          int64_t i) {
  return {floatAt(values, semantics, i, 0, 2),
          floatAt(values, semantics, i, 1, 2)};
}

static unsigned integerBits(mlir::Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

/// The attributes of single elements: what getValues<Attribute> gives.
static ElementsAttrIndexer attributes(const Source &source) {
  using mlir::Attribute;
  mlir::Type type = source.elementType;
  auto values = source.values;
  if (auto floatType = mlir::dyn_cast<mlir::FloatType>(type))
    return source.mapped([values, floatType](int64_t i) -> Attribute {
      return mlir::FloatAttr::get(
          floatType, floatAt(*values, floatType.getFloatSemantics(), i, 0, 1));
    });
  if (type.isIntOrIndex())
    return source.mapped([values, type](int64_t i) -> Attribute {
      return mlir::IntegerAttr::get(type,
                                    integerAt(*values, integerBits(type), i));
    });
  if (auto complexType = mlir::dyn_cast<mlir::ComplexType>(type))
    return source.mapped([values, complexType](int64_t i) -> Attribute {
      auto part = mlir::cast<mlir::FloatType>(complexType.getElementType());
      auto value = complexAt(*values, part.getFloatSemantics(), i);
      return mlir::ArrayAttr::get(complexType.getContext(),
                                  {mlir::FloatAttr::get(part, value.real()),
                                   mlir::FloatAttr::get(part, value.imag())});
    });
  return source.mapped([values, type](int64_t i) -> Attribute {
    return mlir::StringAttr::get(values->at<llvm::StringRef>(i), type);
  });
}

/// Integers: by C++ integers of the same width, of either signedness if the
/// type is signless; bool for i1; APInt.
static MaybeIndexer integers(const Source &source, mlir::TypeID wanted) {
  mlir::Type type = source.elementType;
  unsigned bits = integerBits(type);
  if (wanted == mlir::TypeID::get<llvm::APInt>())
    return source.mapped([values = source.values, bits](int64_t i) {
      return integerAt(*values, bits, i);
    });
  if (bits == 1 && wanted == mlir::TypeID::get<bool>())
    return source.native<bool>();
  bool allowSigned = !type.isUnsignedInteger();
  bool allowUnsigned = !type.isSignedInteger();
  std::optional<ElementsAttrIndexer> result;
  auto offer = [&](auto value) {
    using T = decltype(value);
    if (wanted == mlir::TypeID::get<T>() && bits == sizeof(T) * 8 &&
        (std::is_signed_v<T> ? allowSigned : allowUnsigned))
      result.emplace(source.native<T>());
  };
  offer(int8_t());
  offer(int16_t());
  offer(int32_t());
  offer(int64_t());
  offer(uint8_t());
  offer(uint16_t());
  offer(uint32_t());
  offer(uint64_t());
  if (!result)
    return mlir::failure();
  return std::move(*result);
}

static MaybeIndexer floats(const Source &source, mlir::FloatType type,
                           mlir::TypeID wanted) {
  if (wanted == mlir::TypeID::get<llvm::APFloat>())
    return source.mapped([values = source.values, type](int64_t i) {
      return floatAt(*values, type.getFloatSemantics(), i, 0, 1);
    });
  if (type.isF32() && wanted == mlir::TypeID::get<float>())
    return source.native<float>();
  if (type.isF64() && wanted == mlir::TypeID::get<double>())
    return source.native<double>();
  return mlir::failure();
}

static MaybeIndexer complexes(const Source &source, mlir::ComplexType type,
                              mlir::TypeID wanted) {
  auto part = mlir::cast<mlir::FloatType>(type.getElementType());
  if (wanted == mlir::TypeID::get<std::complex<llvm::APFloat>>())
    return source.mapped([values = source.values, part](int64_t i) {
      return complexAt(*values, part.getFloatSemantics(), i);
    });
  if (part.isF32() && wanted == mlir::TypeID::get<std::complex<float>>())
    return source.native<std::complex<float>>();
  if (part.isF64() && wanted == mlir::TypeID::get<std::complex<double>>())
    return source.native<std::complex<double>>();
  return mlir::failure();
}

/// The C++ types that a DenseElementsAttr of numbers iterates in any case if it
/// has no elements.
template <class... T> static bool isOneOf(mlir::TypeID type) {
  return ((type == mlir::TypeID::get<T>()) || ...);
}
static bool iteratesEmpty(mlir::TypeID type) {
  return isOneOf<
      uint8_t, uint16_t, uint32_t, uint64_t, int8_t, int16_t, int32_t, int64_t,
      float, double, std::complex<uint8_t>, std::complex<uint16_t>,
      std::complex<uint32_t>, std::complex<uint64_t>, std::complex<int8_t>,
      std::complex<int16_t>, std::complex<int32_t>, std::complex<int64_t>,
      std::complex<float>, std::complex<double>>(type);
}

MaybeIndexer
DisposableElementsAttr::getValuesImpl(mlir::TypeID elementId) const {
  Elements elements = getElements();
  if (!elements)
    return mlir::failure();
  if (elements.size() == 0 && elements.type() != DataType::String &&
      iteratesEmpty(elementId))
    return ElementsAttrIndexer::contiguous<char>(/*isSplat=*/false, nullptr);
  bool splat = isSplat();
  Source source{std::make_shared<Values>(elements, splat),
                getType().getElementType(), splat};
  if (elementId == mlir::TypeID::get<mlir::Attribute>())
    return attributes(source);
  if (source.elementType.isIntOrIndex())
    return integers(source, elementId);
  if (auto type = mlir::dyn_cast<mlir::FloatType>(source.elementType))
    return floats(source, type, elementId);
  if (auto type = mlir::dyn_cast<mlir::ComplexType>(source.elementType))
    return complexes(source, type, elementId);
  if (elementId == mlir::TypeID::get<llvm::StringRef>())
    return source.native<llvm::StringRef>();
  return mlir::failure();
}
