//===- ElementsTextParser.cpp - Parsing of dense constants ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The type of `dense<...> : type` comes last, so that literals are first taken
// as text and become elements when the type is known. MLIR's parser reads over
// them token by token; their text is taken from the source that it reads.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/ir/ElementsText.h"
#include "onnxfold/elements/ir/RawData.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>
#include <deque>

using namespace onnxfold;
using llvm::StringRef;
using mlir::failed;
using mlir::failure;
using mlir::ParseResult;
using mlir::success;

namespace {

/// One number or bool; two for a complex.
struct Literal {
  llvm::SMLoc loc;
  StringRef text; // without the sign
  bool negative = false;
};

/// The body of a dense constant, of whatever type.
struct DenseText {
  bool elided = false, empty = false;
  bool isList = false; // else a single element, for a splat or rank 0
  bool isComplex = false;
  Shape shape; // of the list
  std::vector<Literal> literals;
  std::deque<std::string> strings;
  llvm::SMLoc loc;
};

class DenseTextParser {
public:
  DenseTextParser(mlir::AsmParser &parser, DenseText &text)
      : parser(parser), text(text) {}

  ParseResult parse() {
    text.loc = parser.getCurrentLocation();
    if (peek() == '>') {
      text.empty = true;
      return success();
    }
    if (peek() == '_') {
      text.elided = true;
      return parser.parseKeyword("__elided__");
    }
    text.isList = peek() == '[';
    return parseNested(0);
  }

private:
  char peek() { return *parser.getCurrentLocation().getPointer(); }

  ParseResult parseNested(size_t depth) {
    if (failed(parser.parseOptionalLSquare()))
      return parseElement(depth);
    int64_t count = 0;
    if (failed(parser.parseOptionalRSquare())) {
      do {
        if (parseNested(depth + 1))
          return failure();
        ++count;
      } while (succeeded(parser.parseOptionalComma()));
      if (parser.parseRSquare())
        return failure();
    }
    return setDimension(depth, count);
  }

  /// All lists of one depth have the same length; a deeper level was reached
  /// either always or never (checked where an element stands).
  ParseResult setDimension(size_t depth, int64_t count) {
    if (text.shape.size() <= depth)
      text.shape.resize(depth + 1, -1);
    if (text.shape[depth] != -1 && text.shape[depth] != count)
      return parser.emitError(text.loc)
             << "tensor literal is invalid; ranks are not consistent between "
                "elements";
    text.shape[depth] = count;
    return success();
  }

  ParseResult parseElement(size_t depth) {
    if (rank == -1)
      rank = depth;
    if (rank != int64_t(depth))
      return parser.emitError(parser.getCurrentLocation())
             << "tensor literal is invalid; ranks are not consistent between "
                "elements";
    if (peek() == '"')
      return parser.parseString(&text.strings.emplace_back());
    if (failed(parser.parseOptionalLParen()))
      return parseLiteral();
    text.isComplex = true;
    if (parseLiteral() || parser.parseComma() || parseLiteral())
      return failure();
    return parser.parseRParen();
  }

  ParseResult parseLiteral() {
    Literal literal;
    literal.negative = succeeded(parser.parseOptionalMinus());
    literal.loc = parser.getCurrentLocation();
    if (llvm::isDigit(peek()) && parseNumber(literal.text))
      return failure();
    if (literal.text.empty() && parser.parseKeyword(&literal.text))
      return failure();
    text.literals.push_back(literal);
    return success();
  }

  /// A token of MLIR's lexer: 0x[0-9a-f]+, [0-9]+, [0-9]+.[0-9]*(e[+-]?[0-9]+)?
  /// The source ends with a null character, which ends every token.
  ParseResult parseNumber(StringRef &number) {
    const char *begin = parser.getCurrentLocation().getPointer(), *end = begin;
    auto skipDigits = [&] {
      while (llvm::isDigit(*end))
        ++end;
    };
    skipDigits();
    bool isFloat = false;
    if (end == begin + 1 && *begin == '0' && *end == 'x' &&
        llvm::isHexDigit(end[1])) {
      ++end;
      while (llvm::isHexDigit(*end))
        ++end;
    } else if (*end == '.') {
      isFloat = true;
      ++end;
      skipDigits();
      if (*end == 'e' || *end == 'E') {
        bool isSign = end[1] == '+' || end[1] == '-';
        if (llvm::isDigit(end[1 + isSign])) {
          end += 1 + isSign;
          skipDigits();
        }
      }
    }
    number = StringRef(begin, end - begin);
    if (isFloat) {
      double ignored;
      return parser.parseFloat(ignored);
    }
    llvm::APInt ignored;
    mlir::OptionalParseResult result = parser.parseOptionalInteger(ignored);
    return result.has_value() ? *result : failure();
  }

  mlir::AsmParser &parser;
  DenseText &text;
  int64_t rank = -1; // of the list, once an element was seen
};

/// Makes elements of text once the type is known.
class DenseTextReader {
public:
  DenseTextReader(mlir::AsmParser &parser, const DenseText &text,
                  mlir::ShapedType type)
      : parser(parser), text(text), type(type),
        elementType(type.getElementType()), dataType(toDataType(elementType)) {}

  ParseResult read(Elements &result) {
    if (dataType == DataType::Undefined)
      return error() << "element type " << elementType
                     << " has no disposable form";
    ShapeRef shape = type.getShape();
    if (text.empty && numElements(shape) != 0)
      return error() << "expected values for a tensor of shape "
                     << toString(shape);
    if (isHexString())
      return readHex(result);
    if (text.isList && ShapeRef(text.shape) != shape)
      return error() << "inferred shape of elements literal ("
                     << toString(text.shape) << ") does not match type ("
                     << toString(shape) << ")";
    if (numElements(shape) == 0) {
      result = makeEmpty();
      return success();
    }
    if (dataType == DataType::String ? !text.literals.empty()
                                     : !text.strings.empty())
      return error() << "values do not fit the element type " << elementType;
    Shape ownShape(text.isList ? shape : ShapeRef());
    if (dataType == DataType::String) {
      llvm::SmallVector<StringRef> strings(text.strings.begin(),
                                           text.strings.end());
      result = Elements::fromStrings(ownShape, strings);
    } else if (readNumbers(ownShape, result)) {
      return failure();
    }
    if (!text.isList)
      result = result.expand(shape);
    return success();
  }

private:
  mlir::InFlightDiagnostic error() { return parser.emitError(text.loc); }

  Elements makeEmpty() {
    return Elements::fromBuffer(dataType, type.getShape(),
                                llvm::makeIntrusiveRefCnt<HeapBuffer>(0));
  }

  bool isHexString() {
    return dataType != DataType::String && !text.isList &&
           text.strings.size() == 1;
  }

  ParseResult readHex(Elements &result) {
    StringRef digits = text.strings.front();
    if (!digits.consume_front("0x") || digits.size() % 2)
      return error() << "elements hex string should start with '0x' and have "
                        "two digits for each byte";
    auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(digits.size() / 2);
    for (size_t i = 0; i < buffer->size(); ++i)
      if (!llvm::tryGetHexFromNibbles(
              digits[2 * i], digits[2 * i + 1],
              reinterpret_cast<uint8_t &>(buffer->data()[i])))
        return error()
               << "elements hex string has a character that is not a hex "
                  "digit";
    uint64_t count = numElements(type.getShape());
    bool whole = buffer->size() == rawDataBytes(dataType, count);
    bool splat = count != 0 && buffer->size() == rawDataBytes(dataType, 1) &&
                 (!whole || count == 1);
    if (!whole && !splat)
      return error() << "elements hex data size is invalid for provided type: "
                     << mlir::Type(type);
    result = fromRawData(dataType, type.getShape(), buffer, !whole);
    return success();
  }

  ParseResult readNumbers(const Shape &shape, Elements &result) {
    if (isComplex(dataType) != text.isComplex)
      return error() << "values do not fit the element type " << elementType;
    unsigned parts = text.isComplex ? 2 : 1;
    unsigned width = byteWidth(dataType) / parts;
    if (text.literals.size() != uint64_t(numElements(shape)) * parts)
      return error() << "values do not fit the element type " << elementType;
    auto buffer =
        llvm::makeIntrusiveRefCnt<HeapBuffer>(text.literals.size() * width);
    char *out = buffer->data();
    for (const Literal &literal : text.literals) {
      uint64_t bits = 0;
      if (isFloat(dataType) || isComplex(dataType) ? readFloat(literal, bits)
                                                   : readInteger(literal, bits))
        return failure();
      std::memcpy(out, &bits, width);
      out += width;
    }
    result = Elements::fromBuffer(dataType, shape, buffer);
    return success();
  }

  ParseResult readFloat(const Literal &literal, uint64_t &bits) {
    mlir::Type partType = elementType;
    if (auto complexType = mlir::dyn_cast<mlir::ComplexType>(partType))
      partType = complexType.getElementType();
    auto &semantics = mlir::cast<mlir::FloatType>(partType).getFloatSemantics();
    unsigned width = llvm::APFloat::getSizeInBits(semantics);
    if (literal.text.starts_with("0x")) {
      if (literal.negative ||
          literal.text.drop_front(2).getAsInteger(16, bits) ||
          (width < 64 && bits >> width))
        return parser.emitError(
            literal.loc, "hexadecimal float constant out of range for type");
      return success();
    }
    if (!literal.text.contains('.'))
      return parser.emitError(
          literal.loc, "expected floating-point elements, but parsed integer");
    // MLIR's parser reads a double first, too: both read the same value.
    double value = 0;
    if (literal.text.getAsDouble(value))
      return parser.emitError(literal.loc, "expected a floating-point number");
    llvm::APFloat rounded(literal.negative ? -value : value);
    bool ignored;
    rounded.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &ignored);
    bits = rounded.bitcastToAPInt().getZExtValue();
    return success();
  }

  ParseResult readInteger(const Literal &literal, uint64_t &bits) {
    bool isBool = dataType == DataType::Bool;
    if (literal.text == "true" || literal.text == "false") {
      if (!isBool || literal.negative)
        return parser.emitError(
            literal.loc, "expected i1 type for 'true' or 'false' values");
      bits = literal.text == "true";
      return success();
    }
    llvm::APInt value;
    StringRef digitsText = literal.text;
    unsigned radix = digitsText.consume_front("0x") ? 16 : 10;
    if (digitsText.getAsInteger(radix, value))
      return parser.emitError(
          literal.loc, "expected integer elements, but parsed floating-point");
    unsigned width = bitWidthOf();
    bool isSignedType = elementType.isSignedInteger();
    unsigned digits = value.getActiveBits();
    // A signless type takes both ranges, as in MLIR.
    bool fits = literal.negative ? !elementType.isUnsignedInteger() &&
                                       (digits < width ||
                                        (digits == width && value.isPowerOf2()))
                                 : digits <= width - isSignedType;
    if (!fits)
      return parser.emitError(literal.loc,
                              "integer constant out of range for type");
    bits = digits ? value.zextOrTrunc(64).getZExtValue() : 0;
    if (literal.negative)
      bits = -bits;
    unsigned unused = 64 - width;
    bits = isSigned(dataType) ? uint64_t(int64_t(bits << unused) >> unused)
                              : bits << unused >> unused;
    return success();
  }

  unsigned bitWidthOf() {
    return dataType == DataType::Bool ? 1 : bitWidth(dataType);
  }

  mlir::AsmParser &parser;
  const DenseText &text;
  mlir::ShapedType type;
  mlir::Type elementType;
  DataType dataType;
};

} // namespace

ParseResult onnxfold::parseElements(mlir::AsmParser &parser,
                                    mlir::ShapedType type, Elements &elements) {
  DenseText text;
  if (DenseTextParser(parser, text).parse())
    return failure();
  if (text.elided) {
    elements = Elements();
    return success();
  }
  return DenseTextReader(parser, text, type).read(elements);
}

ParseResult onnxfold::parseDense(mlir::AsmParser &parser,
                                 mlir::ElementsAttr &attr) {
  if (failed(parser.parseOptionalKeyword("dense")))
    return parser.parseAttribute(attr);
  llvm::SMLoc loc;
  DenseText text;
  mlir::Type type;
  if (parser.parseLess() || DenseTextParser(parser, text).parse() ||
      parser.parseGreater() || parser.parseColon() ||
      parser.getCurrentLocation(&loc) || parser.parseType(type))
    return failure();
  auto shapedType = mlir::dyn_cast<mlir::ShapedType>(type);
  if (!shapedType || !shapedType.hasStaticShape())
    return parser.emitError(loc, "expected a tensor type of static shape");
  Elements elements;
  if (DenseTextReader(parser, text, shapedType).read(elements))
    return failure();
  // Nobody knows yet which module this text will be in.
  DisposableStore::OutsideRoots outside;
  attr = toAttribute(elements, shapedType);
  return success();
}
