//===- RegionForms.cpp - The usual form of operations with bodies ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/stablehlo/ir/Definition.h"
#include "onnxfold/stablehlo/ir/Dialect.h"
#include "onnxfold/stablehlo/ir/Forms.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace onnxfold::hlo;

using Operands = SmallVector<OpAsmParser::UnresolvedOperand, 4>;

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

/// `(%x init: %zero), (%y init: %one)`: first all that are reduced.
static ParseResult parseReduced(OpAsmParser &parser, Operands &operands) {
  Operands inits;
  if (parser.parseCommaSeparatedList([&]() -> ParseResult {
        return failure(parser.parseLParen() ||
                       parser.parseOperand(operands.emplace_back()) ||
                       parser.parseKeyword("init") || parser.parseColon() ||
                       parser.parseOperand(inits.emplace_back()) ||
                       parser.parseRParen());
      }))
    return failure();
  operands.append(inits);
  return success();
}

/// ` reducer(%a: t, %b: t) (%c: u, %d: u) {...}`: first the first of each pair.
static ParseResult parseReducer(OpAsmParser &parser, Region &body) {
  SmallVector<OpAsmParser::Argument> arguments, seconds;
  if (failed(parser.parseKeyword("reducer")))
    return failure();
  while (succeeded(parser.parseOptionalLParen()))
    if (parser.parseArgument(arguments.emplace_back(), /*allowType=*/true) ||
        parser.parseComma() ||
        parser.parseArgument(seconds.emplace_back(), /*allowType=*/true) ||
        parser.parseRParen())
      return failure();
  arguments.append(seconds);
  return parser.parseRegion(body, arguments);
}

/// A body of one operation of two scalars: `applies stablehlo.add`.
static void applyOperation(OperationName name, Type scalar, Location location,
                           Region &body) {
  OpBuilder builder(scalar.getContext());
  Block *block =
      builder.createBlock(&body, {}, {scalar, scalar}, {location, location});
  OperationState inner(location, name);
  inner.addOperands(block->getArguments());
  inner.addTypes(scalar);
  ReturnOp::create(builder, location, builder.create(inner)->getResults());
}

ParseResult onnxfold::hlo::parseReduce(OpAsmParser &parser,
                                       OperationState &state) {
  SMLoc location = parser.getCurrentLocation();
  Operands operands;
  std::optional<OperationName> applied;
  if (parseReduced(parser, operands))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    SMLoc place = parser.getCurrentLocation();
    FailureOr<OperationName> name = parser.parseCustomOperationName();
    if (failed(name))
      return failure();
    if (!Definition::of(*name))
      return parser.emitError(place, "'")
             << *name << "' does not combine two tensors";
    applied = *name;
  }
  SmallVector<int64_t> dims;
  NamedAttrList properties;
  FunctionType type;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") ||
      parser.parseEqual() || parseInts(parser, dims) ||
      parseDictionary(parser, state, "", properties) || parser.parseColon() ||
      parser.parseType(type))
    return failure();
  properties.append("dimensions",
                    parser.getBuilder().getDenseI64ArrayAttr(dims));
  state.addTypes(type.getResults());
  if (setProperties(parser, state, properties) ||
      parser.resolveOperands(operands, type.getInputs(), location,
                             state.operands))
    return failure();
  Region &body = *state.addRegion();
  if (!applied)
    return parseReducer(parser, body);
  auto tensor = dyn_cast<TensorType>(type.getInput(0));
  if (!tensor)
    return parser.emitError(location, "expected a tensor, but found ")
           << type.getInput(0);
  Type scalar = RankedTensorType::get({}, tensor.getElementType());
  applyOperation(*applied, scalar, state.location, body);
  return success();
}

//===----------------------------------------------------------------------===//
// while
//===----------------------------------------------------------------------===//

/// `(%i = %zero, %x = %start) : t, u cond {...} do {...}`.
ParseResult onnxfold::hlo::parseWhile(OpAsmParser &parser,
                                      OperationState &state) {
  SMLoc location = parser.getCurrentLocation();
  Operands operands;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> types;
  auto parsePair = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parsePair) ||
      (!operands.empty() &&
       (parser.parseColon() || parser.parseTypeList(types))) ||
      parser.resolveOperands(operands, types, location, state.operands) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  for (auto [argument, type] : llvm::zip_equal(arguments, types))
    argument.type = type;
  state.addTypes(types);
  return failure(parser.parseKeyword("cond") ||
                 parser.parseRegion(*state.addRegion(), arguments) ||
                 parser.parseKeyword("do") ||
                 parser.parseRegion(*state.addRegion(), arguments));
}
