//===- Sdy.cpp - Sharding rules of serialised calls -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A rule says which dimensions of the operands and results of a call belong
// together: `([i, j])->([j, i]) {i=2, j=3}, custom` of a transposition. It is
// written of attributes for its parts, which become texts.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/stablehlo/ir/Forms.h"
#include "onnxfold/stablehlo/vhlo/Dialect.h"
#include "onnxfold/stablehlo/vhlo/internal/Lists.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace onnxfold::vhlo;

MLIR_DEFINE_EXPLICIT_TYPE_ID(onnxfold::vhlo::SdyDialect)

static constexpr StringRef ofDimension = "dim_mapping<",
                           ofTensor = "tensor_mapping<";

namespace {

/// Reads the attributes of a rule by their codes.
class RuleReader {
public:
  explicit RuleReader(DialectBytecodeReader &reader) : reader(reader) {}

  Attribute attribute();

private:
  Attribute opaque(const Twine &text);
  /// A list of attributes that begin with `mnemonic`, as text without it.
  LogicalResult parts(StringRef mnemonic, std::string &text);
  /// Factors by their letters; each is one of the `count` of the rule.
  LogicalResult factors(StringRef separator, uint64_t count, std::string &text);
  Attribute rule();

  DialectBytecodeReader &reader;
};

struct SdyBytecode : BytecodeDialectInterface {
  explicit SdyBytecode(Dialect *dialect) : BytecodeDialectInterface(dialect) {}
  Attribute readAttribute(DialectBytecodeReader &reader) const override {
    return RuleReader(reader).attribute();
  }
};

} // namespace

/// i to z, then z_1 and so on.
static std::string letterOf(int64_t factor) {
  constexpr int64_t last = 'z' - 'i';
  return factor <= last ? std::string(1, char('i' + factor))
                        : "z_" + std::to_string(factor - last);
}

Attribute RuleReader::opaque(const Twine &text) {
  MLIRContext *context = reader.getContext();
  return OpaqueAttr::get(StringAttr::get(context, "sdy"), text.str(),
                         NoneType::get(context));
}

LogicalResult RuleReader::parts(StringRef mnemonic, std::string &text) {
  SmallVector<StringRef> all;
  size_t total = 0;
  auto read = [&]() -> LogicalResult {
    OpaqueAttr part;
    if (failed(reader.readAttribute(part)))
      return failure();
    StringRef body = part.getAttrData();
    if (part.getDialectNamespace() != "sdy" || !body.consume_front(mnemonic) ||
        !body.consume_back(">"))
      return reader.emitError("a part of a sharding rule is of another kind");
    // A part may be named often: texts grow with the cube of the file.
    if ((total += body.size() + 2) > size_t(1) << 20)
      return reader.emitError("a sharding rule is too long");
    all.push_back(body);
    return success();
  };
  if (failed(readList(reader, read)))
    return failure();
  text = llvm::join(all, ", ");
  return success();
}

LogicalResult RuleReader::factors(StringRef separator, uint64_t count,
                                  std::string &text) {
  SmallVector<int64_t> numbers;
  if (failed(readInts(reader, numbers)))
    return failure();
  for (int64_t number : numbers) {
    if (number < 0 || uint64_t(number) >= count)
      return reader.emitError() << "a sharding rule has no factor " << number;
    text += (text.empty() ? "" : separator).str() + letterOf(number);
  }
  return success();
}

Attribute RuleReader::rule() {
  SmallVector<int64_t> sizes;
  std::string operands, results;
  if (failed(readInts(reader, sizes)) || failed(parts(ofTensor, operands)) ||
      failed(parts(ofTensor, results)))
    return {};
  std::string text = "(" + operands + ")->(" + results + ")", factorSizes;
  for (auto [i, size] : llvm::enumerate(sizes))
    factorSizes += (i ? ", " : "") + letterOf(i) + "=" + std::to_string(size);
  if (!sizes.empty())
    text += " {" + factorSizes + "}";
  for (StringRef kind : {"reduction", "need_replication", "permutation",
                         "blocked_propagation"}) {
    std::string letters;
    if (failed(factors(", ", sizes.size(), letters)))
      return {};
    if (!letters.empty())
      text += (" " + kind + "={" + letters + "}").str();
  }
  bool isCustom;
  if (failed(reader.readBool(isCustom)))
    return {};
  return opaque("op_sharding_rule<" + text + (isCustom ? ", custom>" : ">"));
}

Attribute RuleReader::attribute() {
  uint64_t code;
  std::string text;
  if (failed(reader.readVarInt(code)))
    return {};
  switch (code) {
  case 8:
    return succeeded(factors("", UINT64_MAX, text))
               ? opaque(ofDimension + text + ">")
               : Attribute();
  case 9:
    return succeeded(parts(ofDimension, text))
               ? opaque(ofTensor + "[" + text + "]>")
               : Attribute();
  case 10:
    return rule();
  default:
    reader.emitError() << "attribute number " << code
                       << " of sdy is not known: sharded programs are read in "
                          "the generic form of their text only";
    return {};
  }
}

SdyDialect::SdyDialect(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<SdyDialect>()) {
  allowUnknownOperations();
  addInterfaces<SdyBytecode>();
}

Attribute SdyDialect::parseAttribute(DialectAsmParser &parser,
                                     Type type) const {
  return OpaqueAttr::get(StringAttr::get(getContext(), getNamespace()),
                         parser.getFullSymbolSpec(),
                         type ? type : NoneType::get(getContext()));
}

std::optional<Dialect::ParseOpHook>
SdyDialect::getParseOperationHook(StringRef) const {
  return ParseOpHook(onnxfold::hlo::refuseUsualForm);
}

Type SdyDialect::parseType(DialectAsmParser &parser) const {
  return OpaqueType::get(StringAttr::get(getContext(), getNamespace()),
                         parser.getFullSymbolSpec());
}
