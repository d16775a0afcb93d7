//===- VariablesTest.cpp - The variables of a script or function ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/Variables.h"
#include "onnxfold/dml/syntax/Parser.h"
#include <gtest/gtest.h>

using namespace onnxfold::dml;

namespace {

const DmlValue firstValue = DmlValue::known(1, DmlValue::Int),
               secondValue = DmlValue::known(2, DmlValue::Int);

TEST(Variables, WhatWasNotThereIsGoneAgain) {
  Names names;
  names.insert("a");
  names.insert("b");
  Variables variables;
  variables["a"] = firstValue;
  Variables::Saved saved = variables.save(names);
  variables["a"] = secondValue;
  variables["b"] = secondValue;
  variables["c"] = secondValue; // of another path
  variables.restore(saved);
  EXPECT_EQ(variables.lookup("a").number, 1);
  EXPECT_EQ(variables.find("b"), nullptr);
  EXPECT_EQ(variables.lookup("c").number, 2);
}

TEST(Variables, ADeclarationChangesNoValue) {
  Variables variables;
  variables["a"] = firstValue;
  EXPECT_EQ(variables.declare("a", "is not read").number, 1);
  EXPECT_TRUE(variables.declare("b", "is not read").isUnassigned);
  EXPECT_EQ(variables.find("b")->text, "is not read");
}

TEST(Variables, ForgetsWhatStatementsAssign) {
  llvm::Expected<Script> script =
      parseScript("if (a > 0) { b[1, 1] = c }\nfor (i in 1:2) d = a", "script");
  ASSERT_TRUE(bool(script));
  Variables variables;
  for (const char *name : {"a", "b", "c", "d"})
    variables[name] = firstValue;
  variables.forget(script->main);
  EXPECT_TRUE(variables.find("b")->isUnknown());
  EXPECT_TRUE(variables.find("d")->isUnknown());
  EXPECT_EQ(variables.lookup("a").number, 1);
  EXPECT_EQ(variables.lookup("c").number, 1);
}

} // namespace
