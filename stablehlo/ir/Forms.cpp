//===- Forms.cpp - The usual form of operations ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/stablehlo/ir/Forms.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace onnxfold::hlo;

namespace {

/// One operation, read piece by piece.
class FormParser {
public:
  FormParser(OpAsmParser &parser, OperationState &state)
      : parser(parser), state(state) {}

  ParseResult parse(StringRef form);

private:
  ParseResult parsePiece(StringRef piece);
  ParseResult parseWord(StringRef word);
  ParseResult parseOperandsWithCommas();
  ParseResult parseSymbol(StringRef name);
  ParseResult parseTypes(StringRef rule);
  bool applyRule(StringRef rule);

  OpAsmParser &parser;
  OperationState &state;
  SmallVector<OpAsmParser::UnresolvedOperand, 4> operands;
  SmallVector<Type> inputs, results;
  NamedAttrList properties;
};

} // namespace

ParseResult FormParser::parse(StringRef form) {
  while (!form.empty()) {
    auto [piece, rest] = form.split(' ');
    form = rest;
    if (piece == "?[" && failed(parser.parseOptionalComma()))
      form = form.split("?] ").second;
    else if (piece != "?[" && piece != "?]" && failed(parsePiece(piece)))
      return failure();
  }
  return setProperties(parser, state, properties);
}

ParseResult FormParser::parsePiece(StringRef piece) {
  if (piece == "%")
    return parser.parseOperand(operands.emplace_back());
  if (piece == "%*")
    return parser.parseOperandList(operands);
  if (piece == "%*,")
    return parseOperandsWithCommas();
  if (piece.consume_front("@"))
    return parseSymbol(piece);
  if (piece.consume_front("attrs"))
    return parseDictionary(parser, state, piece.trim("()"), properties);
  auto [name, kind] = piece.split(':');
  if (name.empty())
    return parseTypes(kind);
  return kind.empty() ? parseWord(piece)
                      : parseField(parser, name, kind, properties);
}

ParseResult FormParser::parseWord(StringRef word) {
  if (word == ",")
    return parser.parseComma();
  if (word == "=")
    return parser.parseEqual();
  if (word == "(")
    return parser.parseLParen();
  if (word == ")")
    return parser.parseRParen();
  if (word == "[")
    return parser.parseLSquare();
  if (word == "]")
    return parser.parseRSquare();
  if (word == "{")
    return parser.parseLBrace();
  if (word == "}")
    return parser.parseRBrace();
  return parser.parseKeyword(word);
}

ParseResult FormParser::parseOperandsWithCommas() {
  while (true) {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult found = parser.parseOptionalOperand(operand);
    if (!found.has_value())
      return success();
    if (failed(*found) || failed(parser.parseComma()))
      return failure();
    operands.push_back(operand);
  }
}

ParseResult FormParser::parseSymbol(StringRef name) {
  StringAttr symbol;
  if (failed(parser.parseSymbolName(symbol)))
    return failure();
  properties.append(name, symbol);
  return success();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The type of the parts of a complex tensor; null for others.
static Type partsOf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  auto element = dyn_cast_if_present<ComplexType>(
      shaped ? shaped.getElementType() : Type());
  return element ? Type(shaped.clone(element.getElementType())) : Type();
}

/// Types that stand alone: those of the results, or of all.
///   same      one type is that of each operand and of the result
///   results   there are no operands
///   pairs     each operand has the type of its result
///   select    those of the condition, and of the others
///   complex   the operands are parts of the result
///   tuple     the operands are elements of the result
bool FormParser::applyRule(StringRef rule) {
  results = inputs;
  bool isOne = results.size() == 1;
  if (rule == "same" && isOne)
    inputs.assign(operands.size(), results[0]);
  else if (rule == "results")
    inputs.clear();
  else if (rule == "select" && results.size() == 2)
    inputs.push_back(inputs[1]), results.erase(results.begin());
  else if (rule == "complex" && isOne && partsOf(results[0]))
    inputs.assign(2, partsOf(results[0]));
  else if (rule == "tuple" && isOne && isa<TupleType>(results[0]))
    inputs = llvm::to_vector(cast<TupleType>(results[0]).getTypes());
  else
    return rule == "pairs";
  return true;
}

ParseResult FormParser::parseTypes(StringRef rule) {
  if (rule == "pairs" && operands.empty())
    return failure(parser.parseLParen() || parser.parseRParen());
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseColon() || parser.parseTypeList(inputs))
    return failure();
  FunctionType function =
      inputs.size() == 1 ? dyn_cast<FunctionType>(inputs[0]) : FunctionType();
  if (function) {
    inputs = llvm::to_vector(function.getInputs());
    results = llvm::to_vector(function.getResults());
  } else {
    if (parser.parseOptionalArrowTypeList(results))
      return failure();
    if (results.empty() && !applyRule(rule))
      return parser.emitError(location, "'")
             << state.name << "' has other types than its form: " << rule;
  }
  state.addTypes(results);
  return parser.resolveOperands(operands, inputs, location, state.operands);
}

//===----------------------------------------------------------------------===//
// All operations
//===----------------------------------------------------------------------===//

ParseResult onnxfold::hlo::parseDictionary(OpAsmParser &parser,
                                           OperationState &state,
                                           StringRef names,
                                           NamedAttrList &properties) {
  NamedAttrList all;
  if (failed(parser.parseOptionalAttrDict(all)))
    return failure();
  SmallVector<StringRef> inherent;
  names.split(inherent, ',');
  for (NamedAttribute attribute : all)
    if (llvm::is_contained(inherent, attribute.getName().getValue()))
      properties.push_back(attribute);
    else
      state.attributes.push_back(attribute);
  return success();
}

ParseResult onnxfold::hlo::setProperties(OpAsmParser &parser,
                                         OperationState &state,
                                         const NamedAttrList &properties) {
  NamedAttrList all(properties);
  all.append(state.attributes);
  if (std::optional<NamedAttribute> twice = all.findDuplicate())
    return parser.emitError(parser.getNameLoc(), "attribute '")
           << twice->getName().getValue() << "' occurs twice";
  if (!properties.empty())
    state.propertiesAttr = properties.getDictionary(parser.getContext());
  return success();
}

ParseResult onnxfold::hlo::refuseUsualForm(OpAsmParser &parser,
                                           OperationState &state) {
  return parser.emitError(parser.getNameLoc())
         << "'" << state.name
         << "' is read in its generic form only, which JAX "
         << "prints by get_asm(print_generic_op_form=True)";
}

static llvm::StringMap<StringRef> allForms() {
  llvm::StringMap<StringRef> forms;
  auto add = [&](StringRef form, StringRef names) {
    SmallVector<StringRef> parts;
    names.split(parts, ' ');
    for (StringRef name : parts)
      forms[name.contains('.') ? name.str() : ("stablehlo." + name).str()] =
          form;
  };
#define HLO_FORM(form, names) add(form, names);
#include "onnxfold/stablehlo/ir/Forms.def"
  return forms;
}

ParseResult onnxfold::hlo::parseUsualForm(OpAsmParser &parser,
                                          OperationState &state) {
  static const llvm::StringMap<StringRef> forms = allForms();
  StringRef name = state.name.getStringRef();
  if (name == "stablehlo.reduce")
    return parseReduce(parser, state);
  if (name == "stablehlo.while")
    return parseWhile(parser, state);
  auto form = forms.find(name);
  if (form == forms.end())
    return refuseUsualForm(parser, state);
  return FormParser(parser, state).parse(form->second);
}
