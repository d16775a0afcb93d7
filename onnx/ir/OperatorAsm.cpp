//===- OperatorAsm.cpp - The text form of operators -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// operation  ::= name `(` operands `)` properties? attr-dict? `:` function-type
//                (`with` graph (`,` graph)*)?
// properties ::= `<` dictionary `>`
// graph      ::= (keyword | string) (`(` arguments `)`)? region
//
// Operator.h has examples.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/ir/OperatorDefinition.h"

#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace onnxfold;

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printProperties(const OperatorProperties &properties,
                            OpAsmPrinter &printer) {
  printer << " <{";
  if (properties.customId) {
    printer << "domain = " << properties.customId[0]
            << ", op_type = " << properties.customId[1] << ", ";
    if (!cast<StringAttr>(properties.customId[2]).empty())
      printer << "overload = " << properties.customId[2] << ", ";
  }
  printer << "since = " << properties.since;
  if (!properties.name.empty()) {
    printer << ", name = ";
    printer.printString(properties.name.get());
  }
  if (!properties.outputs.empty()) {
    printer << ", outputs = [";
    llvm::interleaveComma(
        properties.outputs, printer,
        [&](const StoredName &name) { printer.printString(name.get()); });
    printer << "]";
  }
  if (properties.node >= 0)
    printer << ", node = " << properties.node;
  if (properties.annotations)
    printer << ", annotations = " << properties.annotations;
  printer << "}>";
}

static void printGraph(StringRef name, Region &region, OpAsmPrinter &printer) {
  printer.printKeywordOrString(name);
  // A graph with another number of blocks is one that the verifier refuses.
  bool isGraph = region.hasOneBlock();
  if (isGraph) {
    printer << "(";
    llvm::interleaveComma(
        region.getArguments(), printer,
        [&](BlockArgument argument) { printer.printRegionArgument(argument); });
    printer << ")";
  }
  printer << " ";
  printer.printRegion(region, /*printEntryBlockArgs=*/!isGraph,
                      /*printBlockTerminators=*/true,
                      /*printEmptyBlock=*/true);
}

void OperatorDefinition::printAssembly(Operation *operation,
                                       OpAsmPrinter &printer, StringRef) {
  const OperatorProperties &properties = propertiesOf(operation);
  printer << operation->getName() << "(" << operation->getOperands() << ")";
  printProperties(properties, printer);
  printer.printOptionalAttrDict(
      operation->getDiscardableAttrDictionary().getValue());
  printer << " : ";
  printer.printFunctionalType(operation);
  const char *separator = " with ";
  for (auto [index, region] : llvm::enumerate(operation->getRegions())) {
    printer << separator;
    separator = ", ";
    printGraph(cast<StringAttr>(properties.graphs[index]), region, printer);
  }
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static ParseResult parseProperties(OpAsmParser &parser, bool isCustom,
                                   OperatorProperties &properties) {
  SMLoc location = parser.getCurrentLocation();
  DictionaryAttr dictionary = DictionaryAttr::get(parser.getContext());
  if (succeeded(parser.parseOptionalLess()) &&
      (parser.parseAttribute(dictionary) || parser.parseGreater()))
    return failure();
  return readProperties(dictionary, isCustom, properties,
                        [&] { return parser.emitError(location); });
}

static ParseResult parseGraph(OpAsmParser &parser, OperationState &state,
                              SmallVectorImpl<Attribute> &names) {
  std::string name;
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseKeywordOrString(&name) ||
      parser.parseArgumentList(arguments, OpAsmParser::Delimiter::OptionalParen,
                               /*allowType=*/true) ||
      parser.parseRegion(*state.addRegion(), arguments))
    return failure();
  names.push_back(parser.getBuilder().getStringAttr(name));
  return success();
}

ParseResult OperatorDefinition::parse(OpAsmParser &parser,
                                      OperationState &state) const {
  auto &properties = state.getOrAddProperties<OperatorProperties>();
  setDefaults(properties);
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc location = parser.getCurrentLocation();
  FunctionType type;
  if (parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) ||
      parseProperties(parser, isCustom(), properties) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), location,
                             state.operands))
    return failure();
  state.addTypes(type.getResults());
  if (failed(parser.parseOptionalKeyword("with")))
    return success();
  SmallVector<Attribute> names;
  if (parser.parseCommaSeparatedList(
          [&] { return parseGraph(parser, state, names); }))
    return failure();
  properties.graphs = parser.getBuilder().getArrayAttr(names);
  return success();
}

OperationName::ParseAssemblyFn OperatorDefinition::getParseAssemblyFn() {
  return [this](OpAsmParser &parser, OperationState &state) {
    return parse(parser, state);
  };
}
