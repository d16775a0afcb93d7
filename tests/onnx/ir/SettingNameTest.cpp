//===- SettingNameTest.cpp - What messages call a setting -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/SettingName.h"
#include <gtest/gtest.h>

using namespace onnxfold;

TEST(SettingNameTest, LibrariesAndPrograms) {
  EXPECT_EQ(setting("bind"), "'bind'");
  EXPECT_EQ(setting("dim", "N:4"), "'dim=N:4'");
  // A process of its own: the others of this program are no options' users.
  EXPECT_EXIT(
      {
        spellSettingsAsOptions();
        bool isRight =
            setting("bind") == "--bind" && setting("dim", "N:4") == "--dim=N:4";
        std::_Exit(isRight ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}
