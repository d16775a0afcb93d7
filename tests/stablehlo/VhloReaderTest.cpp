//===- VhloReaderTest.cpp - Serialised attributes that nobody writes ------===//
// SPDX-License-Identifier: Apache-2.0
//
// A module has an attribute whose bytes a test writes itself.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/stablehlo/vhlo/Dialect.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;
using namespace onnxfold;

using Write = function_ref<void(DialectBytecodeWriter &, Builder &)>;

/// A module's attribute as text, or the messages. Of a type the bytes are
/// those of the type that the attribute says.
static std::string readBack(Write write, bool isType = false) {
  MLIRContext context;
  context.loadDialect<vhlo::VhloDialect>();
  std::string text, errors;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    errors += diagnostic.str() + "\n";
  });
  Builder builder(&context);
  Attribute named = builder.getUnitAttr();
  Type type = builder.getNoneType();
  auto module =
      OwningOpRef<ModuleOp>(ModuleOp::create(builder.getUnknownLoc()));
  module.get()->setAttr("vhlo.x", isType ? TypeAttr::get(type) : named);
  auto writeIf = [&](bool isOurs, std::optional<StringRef> &dialect,
                     DialectBytecodeWriter &writer) {
    if (!isOurs)
      return failure();
    dialect = "vhlo";
    write(writer, builder);
    return success();
  };
  BytecodeWriterConfig config;
  config.attachAttributeCallback(
      [&](Attribute attribute, std::optional<StringRef> &dialect,
          DialectBytecodeWriter &writer) -> LogicalResult {
        return writeIf(attribute == named && !isType, dialect, writer);
      });
  config.attachTypeCallback(
      [&](Type written, std::optional<StringRef> &dialect,
          DialectBytecodeWriter &writer) -> LogicalResult {
        return writeIf(written == type && isType, dialect, writer);
      });
  llvm::raw_string_ostream out(text);
  EXPECT_TRUE(succeeded(writeBytecodeToFile(*module, out, config)));
  ParserConfig parser(&context);
  auto read = parseSourceString<ModuleOp>(text, parser);
  if (!read)
    return errors;
  std::string result;
  llvm::raw_string_ostream(result) << read.get()->getAttr("vhlo.x");
  return result;
}

static void writeDouble(DialectBytecodeWriter &writer, double value) {
  writer.writeAPFloatWithKnownSemantics(APFloat(value));
}

TEST(VhloReader, versionOfAnInterface) {
  auto read = [](uint64_t version) {
    return readBack([&](DialectBytecodeWriter &writer, Builder &) {
      writer.writeVarInt(5);
      writer.writeVarInt(version);
    });
  };
  EXPECT_EQ(read(4), "4 : i32");
  EXPECT_NE(read(uint64_t(1) << 32 | 1).find("no number 4294967297"),
            std::string::npos);
}

TEST(VhloReader, wordsOfAnEnumeration) {
  auto read = [](uint64_t code, uint64_t value) {
    return readBack([&](DialectBytecodeWriter &writer, Builder &) {
      writer.writeVarInt(code);
      writer.writeVarInt(value);
    });
  };
  EXPECT_EQ(read(3, 5), "#stablehlo<comparison_direction LT>");
  EXPECT_EQ(read(13, 2), "#stablehlo<rng_distribution NORMAL>");
  EXPECT_NE(read(13, 0).find("rng_distribution has no number 0"),
            std::string::npos);
  EXPECT_NE(read(16, 4).find("transpose has no number 4"), std::string::npos);
  EXPECT_NE(read(21, 0).find("attribute number 21 of vhlo is not known"),
            std::string::npos);
}

/// One scale for all.
static std::string readQuantised(unsigned width, double scale, int64_t least,
                                 int64_t most) {
  return readBack(
      [&](DialectBytecodeWriter &writer, Builder &builder) {
        writer.writeVarInt(24);
        writer.writeVarInt(1); // signed
        writer.writeType(builder.getIntegerType(width));
        writer.writeType(builder.getF32Type());
        writeDouble(writer, scale);
        writer.writeSignedVarInt(15);
        writer.writeSignedVarInt(least);
        writer.writeSignedVarInt(most);
      },
      /*isType=*/true);
}

TEST(VhloReader, quantisedTypes) {
  EXPECT_EQ(readQuantised(8, 0.5, -128, 127), "!quant.uniform<i8:f32, 0.5:15>");
  EXPECT_EQ(readQuantised(64, 0.5, -8, 7),
            "!quant.uniform<i64<-8:7>:f32, 0.5:15>");
  for (unsigned width : {0u, 65u})
    EXPECT_NE(readQuantised(width, 0.5, 0, 0).find("expected 1 to 64 bits"),
              std::string::npos);
  for (double scale : {HUGE_VAL, std::nan("")})
    EXPECT_NE(readQuantised(8, scale, 0, 0).find("is not finite"),
              std::string::npos);
}

TEST(VhloReader, toleranceThatIsNotFinite) {
  auto text = readBack([](DialectBytecodeWriter &writer, Builder &) {
    writer.writeVarInt(20);
    writeDouble(writer, HUGE_VAL);
  });
  EXPECT_NE(text.find("is not finite"), std::string::npos) << text;
}
