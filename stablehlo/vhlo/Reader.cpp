//===- Reader.cpp - Attributes and types of serialised StableHLO ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/stablehlo/ir/Definition.h"
#include "onnxfold/stablehlo/ir/Fields.h"
#include "onnxfold/stablehlo/vhlo/Dialect.h"
#include "onnxfold/stablehlo/vhlo/internal/Lists.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace onnxfold;
using namespace onnxfold::vhlo;

MLIR_DEFINE_EXPLICIT_TYPE_ID(onnxfold::vhlo::VhloDialect)

namespace {

/// Reads attributes and types by their codes, which StableHLO never reuses.
class Reader {
public:
  explicit Reader(DialectBytecodeReader &reader)
      : reader(reader), builder(reader.getContext()) {}

  Attribute attribute();
  Type type();

private:
  LogicalResult list(function_ref<LogicalResult()> read) {
    return readList(reader, read);
  }
  LogicalResult ints(SmallVectorImpl<int64_t> &numbers);
  LogicalResult types(SmallVectorImpl<Type> &types);
  Attribute array();
  Attribute dictionary();
  Attribute word(StringRef enumeration, StringRef words);
  FailureOr<APFloat> finite();
  Attribute number();
  Attribute real();
  Attribute tensor();
  Attribute bools(RankedTensorType type, ArrayRef<char> bytes);
  Attribute alias();
  Attribute accuracy();
  Attribute bounds();
  Type complex();
  Type function();
  Type ranked(bool hasEncoding);
  Type quantised(bool isPerAxis);
  Type buffer();
  Type future();
  Attribute opaque(const Twine &text);
  Attribute wrong(const Twine &what);

  DialectBytecodeReader &reader;
  Builder builder;
};

struct BytecodeInterface : BytecodeDialectInterface {
  explicit BytecodeInterface(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}
  Attribute readAttribute(DialectBytecodeReader &reader) const override {
    return Reader(reader).attribute();
  }
  Type readType(DialectBytecodeReader &reader) const override {
    return Reader(reader).type();
  }
};

} // namespace

Attribute Reader::wrong(const Twine &what) {
  reader.emitError() << what;
  return {};
}

Attribute Reader::opaque(const Twine &text) {
  return hlo::opaqueAttr(reader.getContext(), text);
}

LogicalResult Reader::ints(SmallVectorImpl<int64_t> &numbers) {
  return readInts(reader, numbers);
}

LogicalResult Reader::types(SmallVectorImpl<Type> &types) {
  return list([&] { return reader.readType(types.emplace_back()); });
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {
struct Enumeration {
  uint64_t code;
  StringRef name, words; // from 0 on; a number without a word is not used
};
} // namespace

static constexpr Enumeration enumerations[] = {
    {3, "comparison_direction", "EQ NE GE GT LE LT"},
    {4, "comparison_type", "NOTYPE FLOAT TOTALORDER SIGNED UNSIGNED"},
    {7, "fft_type", "FFT IFFT RFFT IRFFT"},
    {11, "precision", "DEFAULT HIGH HIGHEST"},
    {12, "rng_algorithm", "DEFAULT THREE_FRY PHILOX"},
    {13, "rng_distribution", " UNIFORM NORMAL"},
    {16, "transpose", " NO_TRANSPOSE TRANSPOSE ADJOINT"},
    {19, "result_accuracy_mode", "DEFAULT HIGHEST TOLERANCE"},
};

Attribute Reader::attribute() {
  uint64_t code, value;
  StringRef text;
  if (failed(reader.readVarInt(code)))
    return {};
  switch (code) {
  case 1:
    return array();
  case 2:
    return succeeded(reader.readVarInt(value)) ? builder.getBoolAttr(value != 0)
                                               : Attribute();
  case 5: // custom_call's version of its interface
    if (failed(reader.readVarInt(value)))
      return {};
    return value <= std::numeric_limits<int32_t>::max()
               ? builder.getI32IntegerAttr(int32_t(value))
               : wrong("api_version has no number " + Twine(value));
  case 6:
    return dictionary();
  case 8:
    return real();
  case 9:
    return number();
  case 10:
    return alias();
  case 14:
    return succeeded(reader.readString(text)) ? builder.getStringAttr(text)
                                              : Attribute();
  case 15:
    return tensor();
  case 17: {
    Type value;
    return succeeded(reader.readType(value)) ? TypeAttr::get(value)
                                             : Attribute();
  }
  case 18:
    return bounds();
  case 20:
    return accuracy();
  default:
    for (const Enumeration &enumeration : enumerations)
      if (enumeration.code == code)
        return word(enumeration.name, enumeration.words);
    return wrong("attribute number " + Twine(code) + " of vhlo is not known");
  }
}

Attribute Reader::word(StringRef enumeration, StringRef words) {
  uint64_t value;
  if (failed(reader.readVarInt(value)))
    return {};
  SmallVector<StringRef> all;
  words.split(all, ' ');
  if (value >= all.size() || all[value].empty())
    return wrong(enumeration + " has no number " + Twine(value));
  return opaque(enumeration + " " + all[value]);
}

Attribute Reader::array() {
  SmallVector<Attribute> elements;
  auto read = [&] { return reader.readAttribute(elements.emplace_back()); };
  return succeeded(list(read)) ? builder.getArrayAttr(elements) : Attribute();
}

Attribute Reader::dictionary() {
  NamedAttrList entries;
  auto read = [&]() -> LogicalResult {
    StringAttr name;
    Attribute value;
    if (failed(reader.readAttribute(name)) ||
        failed(reader.readAttribute(value)))
      return failure();
    entries.push_back({name, value});
    return success();
  };
  if (failed(list(read)))
    return {};
  if (std::optional<NamedAttribute> twice = entries.findDuplicate())
    return wrong("'" + twice->getName().getValue() +
                 "' occurs twice in a dictionary");
  return entries.getDictionary(reader.getContext());
}

Attribute Reader::number() {
  Type type;
  if (failed(reader.readType(type)))
    return {};
  if (!type.isIntOrIndex())
    return wrong("an integer is not of an integer type");
  unsigned width = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                  : type.getIntOrFloatBitWidth();
  FailureOr<APInt> value = reader.readAPIntWithKnownWidth(width);
  return succeeded(value) ? IntegerAttr::get(type, *value) : Attribute();
}

Attribute Reader::real() {
  FloatType type;
  if (failed(reader.readType(type)))
    return {};
  FailureOr<APFloat> value =
      reader.readAPFloatWithKnownSemantics(type.getFloatSemantics());
  return succeeded(value) ? FloatAttr::get(type, *value) : Attribute();
}

/// A bit for each, or a byte for each; one byte may stand for all.
Attribute Reader::bools(RankedTensorType type, ArrayRef<char> bytes) {
  uint64_t count = type.getNumElements(), size = bytes.size();
  bool isPacked = size == llvm::divideCeil(count, 8) && size != count;
  bool isSplat = size == 1 && (count == 1 || !isPacked || bytes[0] == char(-1));
  if (isSplat)
    return DenseElementsAttr::get(type, bytes[0] != 0);
  if (!isPacked && size != count)
    return wrong("a tensor of " + Twine(count) + " bools has " + Twine(size) +
                 " bytes");
  SmallVector<bool> values;
  for (uint64_t i = 0; i < count; ++i)
    values.push_back(isPacked ? bytes[i / 8] >> (i % 8) & 1 : bytes[i] != 0);
  return DenseElementsAttr::get(type, values);
}

Attribute Reader::tensor() {
  RankedTensorType type;
  ArrayRef<char> bytes;
  if (failed(reader.readType(type)) || failed(reader.readBlob(bytes)))
    return {};
  if (!type.hasStaticShape())
    return wrong("a tensor of values has a size that is not known");
  if (type.getElementType().isInteger(1))
    return bools(type, bytes);
  bool isSplat = false;
  Type element = type.getElementType();
  if (!(element.isIntOrIndexOrFloat() || isa<ComplexType>(element)) ||
      !DenseElementsAttr::isValidRawBuffer(type, bytes, isSplat))
    return wrong("a tensor of values has " + Twine(bytes.size()) + " bytes");
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

Attribute Reader::alias() {
  SmallVector<int64_t> outputs, operands;
  int64_t operand;
  if (failed(ints(outputs)) || failed(reader.readSignedVarInt(operand)) ||
      failed(ints(operands)))
    return {};
  return opaque("output_operand_alias<output_tuple_indices = " +
                hlo::listText(outputs) + ", operand_index = " + Twine(operand) +
                ", operand_tuple_indices = " + hlo::listText(operands) + ">");
}

/// A double that has a text.
FailureOr<APFloat> Reader::finite() {
  FailureOr<APFloat> number =
      reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble());
  if (failed(number) || number->isFinite())
    return number;
  return reader.emitError() << "a scale or a tolerance is not finite";
}

/// The shortest text from which the same number is read, with the point that
/// MLIR's numbers have.
static std::string numberText(const APFloat &number) {
  SmallString<24> digits;
  number.toString(digits);
  StringRef text = digits;
  if (text.contains('.'))
    return text.str();
  size_t end = std::min(text.find('E'), text.size());
  return (text.take_front(end) + ".0" + text.drop_front(end)).str();
}

/// An accuracy that asks for nothing is written as its mode.
Attribute Reader::accuracy() {
  FailureOr<APFloat> absolute = finite();
  if (failed(absolute))
    return {};
  FailureOr<APFloat> relative = finite();
  int64_t ulps;
  OpaqueAttr mode;
  if (failed(relative) || failed(reader.readSignedVarInt(ulps)) ||
      failed(reader.readAttribute(mode)))
    return {};
  std::string text;
  if (!absolute->isZero())
    text += "atol = " + numberText(*absolute) + ", ";
  if (!relative->isZero())
    text += "rtol = " + numberText(*relative) + ", ";
  if (ulps != 0)
    text += "ulps = " + std::to_string(ulps) + ", ";
  StringRef word = mode.getAttrData().rsplit(' ').second;
  if (text.empty() && word == "DEFAULT")
    return mode;
  return opaque("result_accuracy<" + text +
                "mode = #stablehlo.result_accuracy_mode<" + word + ">>");
}

Attribute Reader::bounds() {
  SmallVector<int64_t> sizes;
  if (failed(ints(sizes)))
    return {};
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : ", ") +
            (ShapedType::isDynamic(size) ? "?" : std::to_string(size));
  return opaque("bounds<" + text + ">");
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

using MakeType = Type (*)(MLIRContext *);

template <class T> static Type make(MLIRContext *context) {
  return T::get(context);
}

template <unsigned width, bool isSigned = true>
static Type makeInteger(MLIRContext *context) {
  return IntegerType::get(
      context, width, isSigned ? IntegerType::Signless : IntegerType::Unsigned);
}

static Type makeToken(MLIRContext *context) {
  return OpaqueType::get(StringAttr::get(context, "stablehlo"), "token");
}

/// Types of which the code says all.
static constexpr std::pair<uint64_t, MakeType> plainTypes[] = {
    {0, makeInteger<1>},
    {2, make<BFloat16Type>},
    {3, make<Float16Type>},
    {4, make<Float32Type>},
    {5, make<Float64Type>},
    {6, make<Float8E4M3FNType>},
    {7, make<Float8E5M2Type>},
    {9, make<IndexType>},
    {10, makeInteger<4>},
    {11, makeInteger<8>},
    {12, makeInteger<16>},
    {13, makeInteger<32>},
    {14, makeInteger<64>},
    {15, makeInteger<4, false>},
    {16, makeInteger<8, false>},
    {17, makeInteger<16, false>},
    {18, makeInteger<32, false>},
    {19, makeInteger<64, false>},
    {22, makeToken},
    {27, make<Float8E4M3FNUZType>},
    {28, make<Float8E5M2FNUZType>},
    {29, make<Float8E4M3B11FNUZType>},
    {31, makeInteger<2>},
    {32, makeInteger<2, false>},
    {33, make<NoneType>},
    {34, make<FloatTF32Type>},
    {35, make<Float8E4M3Type>},
    {36, make<Float8E3M4Type>},
    {37, make<Float4E2M1FNType>},
    {38, make<Float6E2M3FNType>},
    {39, make<Float6E3M2FNType>},
    {40, make<Float8E8M0FNUType>},
};

Type Reader::complex() {
  Type element;
  if (failed(reader.readType(element)))
    return {};
  return ComplexType::getChecked([&] { return reader.emitError(); }, element);
}

Type Reader::function() {
  SmallVector<Type> inputs, results;
  if (failed(types(inputs)) || failed(types(results)))
    return {};
  return builder.getFunctionType(inputs, results);
}

Type Reader::ranked(bool hasEncoding) {
  Attribute encoding;
  SmallVector<int64_t> shape;
  Type element;
  if ((hasEncoding && failed(reader.readAttribute(encoding))) ||
      failed(ints(shape)) || failed(reader.readType(element)))
    return {};
  return RankedTensorType::getChecked([&] { return reader.emitError(); }, shape,
                                      element, encoding);
}

/// `i8:f32`, or `i8<-8:7>:f32` for a part of the range; `u8` without a sign.
/// REQUIRES: the storage has 1 to 64 bits.
static std::string storageText(uint64_t flags, IntegerType storage,
                               Type expressed, int64_t least, int64_t most) {
  unsigned width = storage.getWidth();
  bool isSigned = flags & 1;
  std::string text;
  llvm::raw_string_ostream out(text);
  out << (isSigned ? "i" : "u") << width;
  int64_t lowest = isSigned ? llvm::minIntN(width) : 0;
  int64_t highest = isSigned ? llvm::maxIntN(width) : llvm::maxUIntN(width);
  if (least != lowest || most != highest)
    out << "<" << least << ":" << most << ">";
  out << ":" << expressed;
  return text;
}

/// A scale, or one for each place along a dimension.
Type Reader::quantised(bool isPerAxis) {
  uint64_t flags, dim = 0;
  IntegerType storage;
  Type expressed;
  if (failed(reader.readVarInt(flags)) || failed(reader.readType(storage)) ||
      failed(reader.readType(expressed)) ||
      (isPerAxis && failed(reader.readVarInt(dim))))
    return {};
  int64_t least, most, zero;
  SmallVector<std::string> scales, zeros;
  auto readRange = [&] {
    return failure(failed(reader.readSignedVarInt(least)) ||
                   failed(reader.readSignedVarInt(most)));
  };
  auto readScale = [&]() -> LogicalResult {
    FailureOr<APFloat> scale = finite();
    if (succeeded(scale))
      scales.push_back(numberText(*scale));
    return scale;
  };
  auto readZero = [&]() -> LogicalResult {
    if (failed(reader.readSignedVarInt(zero)))
      return failure();
    zeros.push_back(std::to_string(zero));
    return success();
  };
  auto readEach = [&](function_ref<LogicalResult()> read) {
    return isPerAxis ? list(read) : read();
  };
  if ((isPerAxis && failed(readRange())) || failed(readEach(readScale)) ||
      failed(readEach(readZero)) || (!isPerAxis && failed(readRange())))
    return {};
  if (storage.getWidth() == 0 || storage.getWidth() > 64) {
    reader.emitError() << "a quantised type is stored as " << storage
                       << ", expected 1 to 64 bits";
    return {};
  }
  if (scales.size() != zeros.size()) {
    reader.emitError() << "a quantised type has " << scales.size()
                       << " scales and " << zeros.size() << " zero points";
    return {};
  }
  std::string text = storageText(flags, storage, expressed, least, most);
  SmallVector<std::string> pairs;
  for (auto [scale, zero] : llvm::zip_equal(scales, zeros))
    pairs.push_back(zero == "0" ? scale
                                : (llvm::Twine(scale) + ":" + zero).str());
  std::string all = llvm::join(pairs, ", ");
  return OpaqueType::get(
      builder.getStringAttr("quant"),
      "uniform<" + text +
          (isPerAxis ? ":" + std::to_string(dim) + ", {" + all + "}"
                     : ", " + all) +
          ">");
}

Type Reader::buffer() {
  SmallVector<int64_t> shape;
  Type element;
  if (failed(ints(shape)) || failed(reader.readType(element)))
    return {};
  return MemRefType::getChecked([&] { return reader.emitError(); }, shape,
                                element, MemRefLayoutAttrInterface(),
                                Attribute());
}

Type Reader::future() {
  SmallVector<Type> parts;
  if (failed(types(parts)))
    return {};
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::interleaveComma(parts, out);
  return OpaqueType::get(builder.getStringAttr("stablehlo"),
                         "future<" + text + ">");
}

Type Reader::type() {
  uint64_t code;
  SmallVector<Type> parts;
  if (failed(reader.readVarInt(code)))
    return {};
  switch (code) {
  case 1:
    return complex();
  case 8:
    return function();
  case 20:
  case 21:
    return ranked(/*hasEncoding=*/code == 21);
  case 23:
    return succeeded(types(parts))
               ? Type(TupleType::get(reader.getContext(), parts))
               : Type();
  case 24:
  case 30:
    return quantised(/*isPerAxis=*/code == 30);
  case 25: {
    Type element;
    if (failed(reader.readType(element)))
      return {};
    return UnrankedTensorType::getChecked([&] { return reader.emitError(); },
                                          element);
  }
  case 41:
    return buffer();
  case 42:
    return future();
  default:
    for (const auto &[number, make] : plainTypes)
      if (number == code)
        return make(reader.getContext());
    reader.emitError() << "type number " << code << " of vhlo is not known";
    return {};
  }
}

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

VhloDialect::VhloDialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<VhloDialect>()) {
  allowUnknownOperations();
  addInterfaces<BytecodeInterface>();
  // The ids of a process's operations, whatever the context.
  static TypeIDAllocator allocator;
  static const std::vector<std::tuple<StringRef, StringRef, TypeID>>
      operations = {
#define VHLO_OPERATION(name, attributes)                                       \
  {"vhlo." #name, attributes, allocator.allocate()},
#include "onnxfold/stablehlo/vhlo/Operations.def"
      };
  for (const auto &[name, attributes, id] : operations)
    RegisteredOperationName::insert(
        std::make_unique<hlo::Definition>(name, hlo::Effects::Unknown, *this,
                                          id, attributes),
        /*attrNames=*/{});
}
