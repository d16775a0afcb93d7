//===- Fields.cpp - What attributes of StableHLO say ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/stablehlo/ir/Fields.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace onnxfold::hlo;

using Numbers = llvm::SmallVector<int64_t, 4>;

Attribute onnxfold::hlo::opaqueAttr(MLIRContext *context, const Twine &text) {
  return OpaqueAttr::get(StringAttr::get(context, "stablehlo"), text.str(),
                         NoneType::get(context));
}

std::string onnxfold::hlo::listText(ArrayRef<int64_t> numbers) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::interleaveComma(numbers, out);
  return "[" + text + "]";
}

/// `dot<...>`, or nothing.
static StringRef textOf(Attribute attribute) {
  auto opaque = dyn_cast_if_present<OpaqueAttr>(attribute);
  return opaque ? opaque.getAttrData().trim() : StringRef();
}

/// Returns the text between the outermost angle brackets.
static StringRef insideOf(Attribute attribute) {
  auto [name, rest] = textOf(attribute).split('<');
  return rest.consume_back(">") ? rest.ltrim() : StringRef();
}

/// Whether a convolution names its dimensions: the word `raw` is before them.
static bool isNamed(Attribute attribute) {
  StringRef text = insideOf(attribute);
  return text.consume_front("raw") && text.ltrim() != text;
}

/// Returns the fields, or the layout of a convolution.
static StringRef bodyOf(Attribute attribute) {
  StringRef text = insideOf(attribute);
  return isNamed(attribute) ? text.drop_front(StringRef("raw").size()) : text;
}

/// Cuts the text up to a comma outside of brackets off `rest`.
static StringRef nextPart(StringRef &rest) {
  int depth = 0;
  size_t end = 0;
  for (; end < rest.size(); ++end) {
    char c = rest[end];
    if (c == '[' || c == '<' || c == '(')
      ++depth;
    else if (c == ']' || c == ')' ||
             (c == '>' && (end == 0 || rest[end - 1] != '-')))
      --depth;
    else if (c == ',' && depth == 0)
      break;
  }
  StringRef part = rest.take_front(end).trim();
  rest = rest.drop_front(std::min(end + 1, rest.size()));
  return part;
}

StringRef onnxfold::hlo::fieldOf(Attribute attribute, StringRef name) {
  for (StringRef rest = bodyOf(attribute); !rest.empty();) {
    auto [key, value] = nextPart(rest).split('=');
    if (key.trim() == name)
      return value.trim();
  }
  return {};
}

std::optional<Numbers> onnxfold::hlo::intsOf(Attribute attribute,
                                             StringRef name) {
  StringRef text = fieldOf(attribute, name);
  if (text.empty())
    return textOf(attribute).empty() ? std::nullopt : std::optional(Numbers());
  if (!text.consume_front("[") || !text.consume_back("]"))
    return std::nullopt;
  Numbers numbers;
  for (StringRef rest = text.trim(); !rest.empty();)
    if (nextPart(rest).getAsInteger(10, numbers.emplace_back()))
      return std::nullopt;
  return numbers;
}

std::optional<int64_t> onnxfold::hlo::integerOf(Attribute attribute,
                                                StringRef name,
                                                int64_t otherwise) {
  StringRef text = fieldOf(attribute, name);
  int64_t number = otherwise;
  if (!text.empty() && text.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

StringRef onnxfold::hlo::wordOf(Attribute attribute) {
  return textOf(attribute).rsplit(' ').second.trim();
}

/// Reads `[b, f, 0, 1]`, whose two letters are those of `letters`.
static std::optional<Numbers> layoutOf(StringRef text, StringRef letters) {
  if (!text.consume_front("[") || !text.consume_back("]"))
    return std::nullopt;
  SmallVector<StringRef> parts;
  for (StringRef rest = text; !rest.empty();)
    parts.push_back(nextPart(rest));
  if (parts.size() < 2)
    return std::nullopt;
  Numbers dims(parts.size(), -1);
  for (auto [dim, part] : llvm::enumerate(parts)) {
    size_t place = part.size() == 1 ? letters.find(part) : StringRef::npos;
    if (place == StringRef::npos) {
      if (part.getAsInteger(10, place))
        return std::nullopt;
      place += 2;
    }
    if (place >= dims.size() || dims[place] != -1)
      return std::nullopt;
    dims[place] = dim;
  }
  return dims;
}

/// Reads `input_batch_dimension = 0, input_feature_dimension = 3,
/// input_spatial_dimensions = [1, 2]`. What is left out is 0, or empty,
/// as in StableHLO's parser.
static std::optional<Numbers> namedLayoutOf(Attribute attribute,
                                            StringRef tensor, StringRef first,
                                            StringRef second) {
  auto nameOf = [&](const Twine &dims) { return (tensor + dims).str(); };
  auto a = integerOf(attribute, nameOf(first + "_dimension"), 0);
  auto b = integerOf(attribute, nameOf(second + "_dimension"), 0);
  auto dims = intsOf(attribute, nameOf("spatial_dimensions"));
  if (!a || !b || !dims)
    return std::nullopt;
  dims->insert(dims->begin(), {*a, *b});
  return dims;
}

std::optional<SmallVector<Numbers, 3>>
onnxfold::hlo::convolutionOf(Attribute attribute) {
  auto [inputs, output] = bodyOf(attribute).split("->");
  auto [input, kernel] = inputs.split('x');
  auto of = [&](StringRef text, StringRef letters, StringRef tensor,
                StringRef first, StringRef second) {
    return isNamed(attribute) ? namedLayoutOf(attribute, tensor, first, second)
                              : layoutOf(text.trim(), letters);
  };
  auto a = of(input, "bf", "input_", "batch", "feature");
  auto b = of(kernel, "io", "kernel_", "input_feature", "output_feature");
  auto c = of(output, "bf", "output_", "batch", "feature");
  if (!a || !b || !c)
    return std::nullopt;
  return SmallVector<Numbers, 3>{*a, *b, *c};
}
