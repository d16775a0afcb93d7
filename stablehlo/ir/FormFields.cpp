//===- FormFields.cpp - Attributes in the usual form ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Attributes of the dialect become the text that the generic form has for them
// (Fields.h reads it).
//
//===----------------------------------------------------------------------===//

#include "onnxfold/stablehlo/ir/Fields.h"
#include "onnxfold/stablehlo/ir/Forms.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace onnxfold::hlo;

ParseResult onnxfold::hlo::parseInts(OpAsmParser &parser,
                                     SmallVectorImpl<int64_t> &numbers) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(numbers.emplace_back());
  });
}

/// `EQ`.
static ParseResult parseWordOf(OpAsmParser &parser, StringRef enumeration,
                               Attribute &value) {
  StringRef word;
  if (failed(parser.parseKeyword(&word)))
    return failure();
  value = opaqueAttr(parser.getContext(), enumeration + " " + word);
  return success();
}

/// `e5m10`: two attributes.
static ParseResult parseFormat(OpAsmParser &parser, StringRef,
                               NamedAttrList &properties) {
  SMLoc location = parser.getCurrentLocation();
  StringRef word;
  if (failed(parser.parseKeyword(&word)))
    return failure();
  int32_t exponent, mantissa;
  auto [left, right] = word.split('m');
  if (!left.consume_front("e") || left.getAsInteger(10, exponent) ||
      right.getAsInteger(10, mantissa))
    return parser.emitError(location, "format is '")
           << word << "', expected one like e5m10";
  Builder &builder = parser.getBuilder();
  properties.append("exponent_bits", builder.getI32IntegerAttr(exponent));
  properties.append("mantissa_bits", builder.getI32IntegerAttr(mantissa));
  return success();
}

/// `[0:4, 1:8:2]`: three attributes.
static ParseResult parseRanges(OpAsmParser &parser, StringRef,
                               NamedAttrList &properties) {
  SmallVector<int64_t> starts, limits, strides;
  auto parseRange = [&]() -> ParseResult {
    if (parser.parseInteger(starts.emplace_back()) || parser.parseColon() ||
        parser.parseInteger(limits.emplace_back()))
      return failure();
    strides.push_back(1);
    return succeeded(parser.parseOptionalColon())
               ? parser.parseInteger(strides.back())
               : success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRange))
    return failure();
  Builder &builder = parser.getBuilder();
  properties.append("start_indices", builder.getDenseI64ArrayAttr(starts));
  properties.append("limit_indices", builder.getDenseI64ArrayAttr(limits));
  properties.append("strides", builder.getDenseI64ArrayAttr(strides));
  return success();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// `[0] x [1]`.
static ParseResult parseTwoLists(OpAsmParser &parser, std::string &left,
                                 std::string &right) {
  SmallVector<int64_t> a, b;
  if (parser.parseEqual() || parseInts(parser, a) || parser.parseKeyword("x") ||
      parseInts(parser, b))
    return failure();
  left = listText(a), right = listText(b);
  return success();
}

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`; fields without
/// numbers are left out.
static ParseResult parseDot(OpAsmParser &parser, StringRef name,
                            NamedAttrList &properties) {
  std::string batches[2] = {"[]", "[]"}, sums[2];
  if (succeeded(parser.parseOptionalKeyword("batching_dims")) &&
      (parseTwoLists(parser, batches[0], batches[1]) || parser.parseComma()))
    return failure();
  if (parser.parseKeyword("contracting_dims") ||
      parseTwoLists(parser, sums[0], sums[1]))
    return failure();
  std::string text;
  auto add = [&](StringRef field, StringRef numbers) {
    if (numbers != "[]")
      text += ((text.empty() ? "" : ", ") + field + " = " + numbers).str();
  };
  add("lhs_batching_dimensions", batches[0]);
  add("rhs_batching_dimensions", batches[1]);
  add("lhs_contracting_dimensions", sums[0]);
  add("rhs_contracting_dimensions", sums[1]);
  properties.append(name, opaqueAttr(parser.getContext(), "dot<" + text + ">"));
  return success();
}

/// `[DEFAULT, HIGHEST]`.
static ParseResult parsePrecisions(OpAsmParser &parser, Attribute &value) {
  SmallVector<Attribute> words;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parseWordOf(parser, "precision", words.emplace_back());
      }))
    return failure();
  value = parser.getBuilder().getArrayAttr(words);
  return success();
}

/// `<lhs_precision_type = tf32, ..., lhs_component_count = 1, ...>`.
static ParseResult parseAlgorithm(OpAsmParser &parser, Attribute &value) {
  std::string text;
  auto parsePart = [&]() -> ParseResult {
    StringRef field, word;
    if (parser.parseKeyword(&field) || parser.parseEqual())
      return failure();
    text += ((text.empty() ? "" : ", ") + field + " = ").str();
    int64_t number;
    if (succeeded(parser.parseOptionalKeyword(&word))) {
      text += word;
      return success();
    }
    if (failed(parser.parseInteger(number)))
      return failure();
    text += std::to_string(number);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parsePart))
    return failure();
  value = opaqueAttr(parser.getContext(), "dot_algorithm<" + text + ">");
  return success();
}

/// `, precision = [...], algorithm = <...>`, each of which may be left out.
static ParseResult parsePrecision(OpAsmParser &parser, StringRef name,
                                  NamedAttrList &properties) {
  while (succeeded(parser.parseOptionalComma())) {
    Attribute value;
    if (succeeded(parser.parseOptionalKeyword("algorithm"))) {
      if (parser.parseEqual() || parseAlgorithm(parser, value))
        return failure();
      properties.append("algorithm", value);
      continue;
    }
    if (parser.parseKeyword("precision") || parser.parseEqual() ||
        parsePrecisions(parser, value))
      return failure();
    properties.append(name, value);
  }
  return success();
}

/// `[b, f, 0, 1]`, as text.
static ParseResult parseLayout(OpAsmParser &parser, std::string &text) {
  SmallVector<std::string> parts;
  auto parsePart = [&]() -> ParseResult {
    StringRef letter;
    int64_t dim;
    if (succeeded(parser.parseOptionalKeyword(&letter))) {
      parts.push_back(letter.str());
      return success();
    }
    // `?` is a dimension that nobody names.
    if (succeeded(parser.parseOptionalQuestion())) {
      parts.push_back("?");
      return success();
    }
    if (failed(parser.parseInteger(dim)))
      return failure();
    parts.push_back(std::to_string(dim));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parsePart))
    return failure();
  text += "[" + llvm::join(parts, ", ") + "]";
  return success();
}

/// `[b, f, 0]x[o, i, 0]->[b, f, 0]`.
static ParseResult parseConvolution(OpAsmParser &parser, StringRef name,
                                    NamedAttrList &properties) {
  std::string text;
  if (parseLayout(parser, text) || parser.parseKeyword("x"))
    return failure();
  text += "x";
  if (parseLayout(parser, text) || parser.parseArrow())
    return failure();
  text += "->";
  if (parseLayout(parser, text))
    return failure();
  properties.append(name,
                    opaqueAttr(parser.getContext(), "conv<" + text + ">"));
  return success();
}

/// `[[0, 1], [2, 3]]`.
static ParseResult parsePairs(OpAsmParser &parser, Attribute &value) {
  SMLoc location = parser.getCurrentLocation();
  SmallVector<int64_t> numbers;
  int64_t count = 0;
  auto parsePair = [&]() -> ParseResult {
    ++count;
    if (parseInts(parser, numbers))
      return failure();
    return success(int64_t(numbers.size()) == 2 * count);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parsePair))
    return parser.emitError(location, "expected pairs of integers");
  Builder &builder = parser.getBuilder();
  value = DenseIntElementsAttr::get(
      RankedTensorType::get({count, 2}, builder.getI64Type()), numbers);
  return success();
}

/// `stride = [2, 2], pad = [[0, 1], [0, 1]], reverse = [false, false]`: up to
/// five attributes.
static ParseResult parseWindow(OpAsmParser &parser, StringRef,
                               NamedAttrList &properties) {
  StringRef word;
  while (succeeded(parser.parseOptionalKeyword(&word))) {
    StringRef name = llvm::StringSwitch<StringRef>(word)
                         .Case("stride", "window_strides")
                         .Case("pad", "padding")
                         .Case("lhs_dilate", "lhs_dilation")
                         .Case("rhs_dilate", "rhs_dilation")
                         .Case("reverse", "window_reversal")
                         .Default("");
    if (name.empty() || properties.get(name))
      return parser.emitError(parser.getCurrentLocation(), "a window has no '")
             << word << "', or two";
    Attribute value;
    SmallVector<int64_t> numbers;
    if (parser.parseEqual() || (word == "pad" ? parsePairs(parser, value)
                                              : parseInts(parser, numbers)))
      return failure();
    Builder &builder = parser.getBuilder();
    if (word == "reverse")
      value = builder.getDenseBoolArrayAttr(llvm::map_to_vector(
          numbers, [](int64_t number) { return number != 0; }));
    else if (!value)
      value = builder.getDenseI64ArrayAttr(numbers);
    properties.append(name, value);
    if (failed(parser.parseOptionalComma()))
      break;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// All kinds
//===----------------------------------------------------------------------===//

/// One attribute of a kind that any dialect has.
static ParseResult parsePlain(OpAsmParser &parser, StringRef kind,
                              Attribute &value) {
  Builder &builder = parser.getBuilder();
  if (kind == "ints") {
    SmallVector<int64_t> numbers;
    if (failed(parseInts(parser, numbers)))
      return failure();
    value = builder.getDenseI64ArrayAttr(numbers);
    return success();
  }
  if (kind == "bool")
    return parser.parseAttribute(value, builder.getI1Type());
  if (kind == "string") {
    std::string text;
    if (failed(parser.parseString(&text)))
      return failure();
    value = builder.getStringAttr(text);
    return success();
  }
  if (kind == "i32") {
    int32_t number;
    if (failed(parser.parseInteger(number)))
      return failure();
    value = builder.getI32IntegerAttr(number);
    return success();
  }
  int64_t number;
  if (failed(parser.parseInteger(number)))
    return failure();
  value = builder.getI64IntegerAttr(number);
  return success();
}

ParseResult onnxfold::hlo::parseField(OpAsmParser &parser, StringRef name,
                                      StringRef kind,
                                      NamedAttrList &properties) {
  using Parse = ParseResult (*)(OpAsmParser &, StringRef, NamedAttrList &);
  Parse parse = llvm::StringSwitch<Parse>(kind)
                    .Case("format", parseFormat)
                    .Case("ranges", parseRanges)
                    .Case("dot", parseDot)
                    .Case("precision", parsePrecision)
                    .Case("conv", parseConvolution)
                    .Case("window", parseWindow)
                    .Default(nullptr);
  if (parse)
    return parse(parser, name, properties);
  Attribute value;
  if (failed(kind.consume_front("#") ? parseWordOf(parser, kind, value)
                                     : parsePlain(parser, kind, value)))
    return failure();
  properties.append(name, value);
  return success();
}
