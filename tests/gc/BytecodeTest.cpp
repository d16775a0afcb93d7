//===- BytecodeTest.cpp - Attributes that are read from bytecode ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "GcTest.h"
#include "onnxfold/elements/ir/ElementsBytecode.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Parser/Parser.h"

using namespace onnxfold;
using namespace mlir;

namespace {

class BytecodeTest : public GcTest {
protected:
  std::string written() {
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    ElementsBytecodeScope scope;
    EXPECT_TRUE(succeeded(writeBytecodeToFile(*module, os)));
    return bytes;
  }
};

/// As those of the parser of text: while a module is read, nobody holds it.
TEST_F(BytecodeTest, AttributesAreBornOutsideRoots) {
  ModuleRoot root(*module);
  addOp(*module, "x", make(1));       // in its own record
  addOp(*module, "x", make(2, 5000)); // as a resource
  std::string bytes = written();
  OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(bytes, &context);
  ASSERT_TRUE(again);
  EXPECT_EQ(pool().collect(), 0u);
  llvm::SmallVector<DisposableElementsAttr> attrs;
  for (Operation &op : *again->getBody())
    attrs.push_back(op.getAttrOfType<DisposableElementsAttr>("x"));
  EXPECT_EQ(attrs[0].getElements().value<float>(3), 4);
  EXPECT_EQ(attrs[1].getElements().value<float>(4999), 5001);
  {
    ModuleRoot adopts(*again);
    again->getBody()->front().removeAttr("x");
    EXPECT_EQ(pool().collect(), 1u);
    EXPECT_TRUE(attrs[0].isDisposed());
    EXPECT_FALSE(attrs[1].isDisposed());
  }
  again = nullptr;
  EXPECT_EQ(pool().collect(), 1u);
}

/// The bytes of a file that was read die with the attributes that hold them.
TEST_F(BytecodeTest, DisposalFreesWhatWasRead) {
  ModuleRoot root(*module);
  addOp(*module, "x", make(1, 5000));
  std::string bytes = written();
  for (int i = 0; i < 3; ++i) {
    OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(bytes, &context);
    ModuleRoot adopts(*again);
    EXPECT_EQ(pool().statistics().live(), 2u);
    again->getBody()->clear();
    EXPECT_EQ(pool().collect(), 1u);
  }
}

/// What a scope keeps may be disposed while it lives.
TEST_F(BytecodeTest, ScopesOutliveAttributes) {
  ModuleRoot root(*module);
  ElementsBytecodeScope scope;
  std::string first;
  for (int i = 0; i < 3; ++i) {
    addOp(*module, "x", make(i, 5000));
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    ASSERT_TRUE(succeeded(writeBytecodeToFile(*module, os)));
    OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(bytes, &context);
    auto attr =
        again->getBody()->front().getAttrOfType<DisposableElementsAttr>("x");
    EXPECT_EQ(attr.getElements().value<float>(0), i);
    module->getBody()->clear();
    again = nullptr;
    pool().collect();
  }
}

} // namespace
