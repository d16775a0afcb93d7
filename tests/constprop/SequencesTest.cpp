//===- SequencesTest.cpp - Sequences, and plans of operations with bodies -===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tests/constprop/TestDialect.h"
#include "mlir/IR/Verifier.h"

using namespace onnxfold;
using Action = FoldPlan::Action;

namespace {

struct SequencesTest : ConstpropTest {
  static std::vector<int64_t> list(std::initializer_list<int64_t> values) {
    return values;
  }
  FoldPlan &plan(std::optional<int64_t> maxGrowth = std::nullopt,
                 EvaluationOptions options = {}) {
    evaluate(std::move(options));
    current.emplace(*evaluation, maxGrowth);
    return *current;
  }
  Action action(llvm::StringRef id) { return current->action(find(id)); }
  std::string code(llvm::StringRef id) {
    return nameOf(current->reason(find(id)).code).str();
  }
  /// Rewrites, and recounts the constants.
  void applyAndCheck() {
    int64_t before = countConstantBytes(*module);
    int64_t promised = current->growth();
    bool limited = current->isLimited();
    current->apply();
    EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
    EXPECT_EQ(countConstantBytes(*module) - before, promised) << text();
    std::string after = text();
    Evaluation again(*module, {});
    again.run();
    FoldPlan second(again, limited ? std::optional<int64_t>(0) : std::nullopt);
    EXPECT_FALSE(second.changesAnything()) << after;
  }

  std::optional<FoldPlan> current;
};

} // namespace

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

TEST_F(SequencesTest, whatReadsSequencesFolds) {
  parse(R"mlir(func.func @f(%x: tensor<2xi64>) {
    %a = arith.constant {id = "a"} dense<[1, 2]> : tensor<2xi64>
    %b = "t.neg"(%a) {id = "b"} : (tensor<2xi64>) -> tensor<2xi64>
    %l = "t.list"(%a, %b) {id = "list"} : (tensor<2xi64>, tensor<2xi64>) -> !other.list
    %e = "t.at"(%l) {id = "at", n = 1} : (!other.list) -> tensor<2xi64>
    %n = "t.length"(%l) {id = "length"} : (!other.list) -> tensor<1xi64>
    %d = "t.list"(%a, %x) {id = "dynamic"} : (tensor<2xi64>, tensor<2xi64>) -> !other.list
    %g = "t.at"(%d) {id = "of_dynamic"} : (!other.list) -> tensor<2xi64>
    %w = "t.neg"(%l) {id = "no_tensor"} : (!other.list) -> tensor<2xi64>
    "other.use"(%e, %n, %g) : (tensor<2xi64>, tensor<1xi64>, tensor<2xi64>) -> ()
    return
  })mlir");
  find("no_tensor"); // a kernel that only takes tensors is not called
  plan();
  EXPECT_EQ(outcome("no_tensor"), "input-not-constant");
  EXPECT_EQ(ints("at"), list({-1, -2}));
  EXPECT_EQ(ints("length"), list({2}));
  EXPECT_EQ(outcome("list"), "no-tensor");
  EXPECT_EQ(outcome("dynamic"), "input-not-constant");
  EXPECT_EQ(action("list"), Action::Kept) << "t.neg is kept";
  EXPECT_EQ(code("list"), "no-tensor");
  find("no_tensor")->erase();
  plan();
  EXPECT_EQ(action("list"), Action::Removed);
  EXPECT_EQ(code("list"), "none");
  EXPECT_EQ(action("b"), Action::Folded);
  EXPECT_EQ(action("a"), Action::Kept) << "%d reads it";
  EXPECT_EQ(current->growth(), 16 + 8);
  applyAndCheck();
  EXPECT_FALSE(exists("list"));
}

TEST_F(SequencesTest, sequencesStayWithTheirInputsWhereOneReaderStays) {
  parse(R"mlir(func.func @f(%x: tensor<2xi64>) {
    %a = arith.constant {id = "a"} dense<[1, 2]> : tensor<2xi64>
    %b = "t.neg"(%a) {id = "b"} : (tensor<2xi64>) -> tensor<2xi64>
    %l = "t.list"(%a, %b) {id = "list"} : (tensor<2xi64>, tensor<2xi64>) -> !other.list
    %n = "t.length"(%l) {id = "length"} : (!other.list) -> tensor<1xi64>
    "other.use"(%l, %n) : (!other.list, tensor<1xi64>) -> ()
    return
  })mlir");
  plan();
  EXPECT_EQ(action("list"), Action::Kept);
  EXPECT_EQ(action("a"), Action::Kept);
  EXPECT_EQ(action("b"), Action::Folded);
  EXPECT_EQ(action("length"), Action::Folded);
  EXPECT_EQ(current->growth(), 16 + 8);
  applyAndCheck();
  EXPECT_TRUE(exists("list"));
}

// A result that no constant can hold kept the operation, although nobody read
// it, or only what folds. When that had folded, a second run went on.
TEST_F(SequencesTest, unreadSequencesNeedNoConstant) {
  const char *source = R"mlir(func.func @f() -> tensor<1000xi64> {
    %a = arith.constant {id = "a"} dense<1> : tensor<1000xi64>
    %l = "t.list"(%a) {id = "list"} : (tensor<1000xi64>) -> !other.list
    %r:2 = "t.run"(%a, %l) ({
    ^bb0(%i: tensor<1000xi64>, %j: !other.list):
      %n = "t.neg"(%i) {id = "inner"} : (tensor<1000xi64>) -> tensor<1000xi64>
      "t.yield"(%n, %j) : (tensor<1000xi64>, !other.list) -> ()
    }) {id = "run", n = 3} : (tensor<1000xi64>, !other.list) -> (tensor<1000xi64>, !other.list)
    %n = "t.length"(%READ) {id = "n"} : (!other.list) -> tensor<1xi64>
    "other.use"(%n, %a) : (tensor<1xi64>, tensor<1000xi64>) -> ()
    return %r#0 : tensor<1000xi64>
  })mlir";
  for (llvm::StringRef read : {"l", "r#1"}) {
    std::string text = source;
    text.replace(text.find("READ"), 4, read);
    parse(text);
    plan();
    EXPECT_EQ(action("run"), Action::Folded);
    EXPECT_EQ(action("inner"), Action::Removed);
    EXPECT_EQ(action("list"), Action::Removed);
    EXPECT_EQ(current->growth(), 8000 + 8);
    applyAndCheck();
    parse(text);
    plan(8007);
    EXPECT_EQ(action("run"), Action::Kept);
    EXPECT_EQ(action("n"), Action::Folded);
    EXPECT_EQ(code("run"), "no-tensor");
    EXPECT_EQ(current->growth(), 8);
    applyAndCheck();
  }
}

// Dead operations fold into nothing, those that make sequences as others; what
// may not go keeps what it reads.
TEST_F(SequencesTest, deadReadersOfSequences) {
  const char *source = R"mlir(func.func @f() -> tensor<2xi64> {
    %a = arith.constant dense<[1, 2]> : tensor<2xi64>
    %l = "t.list"(%a) : (tensor<2xi64>) -> !other.list
    %r:2 = "t.run"(%a, %l) ({
    ^bb0(%i: tensor<2xi64>, %j: !other.list):
      "t.yield"(%i, %j) : (tensor<2xi64>, !other.list) -> ()
    }) {id = "run"} : (tensor<2xi64>, !other.list) -> (tensor<2xi64>, !other.list)
    %d = "t.run"(%r#1) ({
    ^bb0(%j: !other.list):
      "t.yield"(%j) : (!other.list) -> ()
    }) {id = "dead"} : (!other.list) -> !other.list
    MORE
    return %r#0 : tensor<2xi64>
  })mlir";
  auto with = [&](llvm::StringRef more) {
    std::string text = source;
    text.replace(text.find("MORE"), 4, more);
    parse(text);
    plan();
  };
  with("");
  EXPECT_EQ(action("dead"), Action::Folded);
  EXPECT_EQ(action("run"), Action::Folded);
  applyAndCheck();
  with(R"("t.sticky"(%d) {id = "sticky"} : (!other.list) -> ())");
  EXPECT_EQ(action("dead"), Action::Kept);
  EXPECT_EQ(action("run"), Action::Kept);
  applyAndCheck();
}

// What clean-ups take out reads no sequence any more; a second run saw that.
TEST_F(SequencesTest, replacedUsersOfSequences) {
  parse(R"mlir(func.func @f(%x: tensor<2xi64>) -> tensor<2xi64> {
    %a = arith.constant dense<[1, 2]> : tensor<2xi64>
    %l = "t.list"(%a) : (tensor<2xi64>) -> !other.list
    %r:2 = "t.run"(%a, %l) ({
    ^bb0(%i: tensor<2xi64>, %j: !other.list):
      "t.yield"(%i, %j) : (tensor<2xi64>, !other.list) -> ()
    }) {id = "run"} : (tensor<2xi64>, !other.list) -> (tensor<2xi64>, !other.list)
    %d = "t.nobody"(%r#1, %x) {id = "unused"} : (!other.list, tensor<2xi64>) -> tensor<2xi64>
    return %r#0 : tensor<2xi64>
  })mlir");
  plan();
  EXPECT_EQ(action("run"), Action::Kept);
  current.emplace(*evaluation, std::nullopt, find("unused"));
  EXPECT_EQ(action("unused"), Action::Removed);
  EXPECT_EQ(action("run"), Action::Folded);
  applyAndCheck();
}

// Somebody reads the sequence, also in a body, and is erased because nobody reads
// what it gives; a second run saw that.
TEST_F(SequencesTest, readersThatGo) {
  parse(
      R"mlir(func.func @f(%x: tensor<2xi64>) -> (tensor<2xi64>, tensor<1xi64>) {
    %a = arith.constant dense<[1, 2]> : tensor<2xi64>
    %l = "t.list"(%a) : (tensor<2xi64>) -> !other.list
    %r:2 = "t.run"(%a, %l) ({
    ^bb0(%i: tensor<2xi64>, %j: !other.list):
      "t.yield"(%i, %j) : (tensor<2xi64>, !other.list) -> ()
    }) {id = "run"} : (tensor<2xi64>, !other.list) -> (tensor<2xi64>, !other.list)
    %u = "t.choose"(%x) ({
      %d = "t.neg"(%r#1) {id = "reader"} : (!other.list) -> tensor<2xi64>
      "t.yield"(%d) : (tensor<2xi64>) -> ()
    }, {
      "t.yield"(%a) : (tensor<2xi64>) -> ()
    }) {id = "unread"} : (tensor<2xi64>) -> tensor<2xi64>
    %p = "t.nobody"(%r#1, %x) {id = "plain"} : (!other.list, tensor<2xi64>) -> tensor<2xi64>
    %q = "t.add"(%u, %p) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %s = "t.shape"(%q) : (tensor<2xi64>) -> tensor<1xi64>
    return %r#0, %s : tensor<2xi64>, tensor<1xi64>
  })mlir");
  plan();
  EXPECT_EQ(action("reader"), Action::Removed);
  EXPECT_EQ(action("plain"), Action::Removed);
  EXPECT_EQ(action("run"), Action::Folded);
  applyAndCheck();
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

TEST_F(SequencesTest, foldingReleasesWhatTheBodyReads) {
  parse(R"mlir(func.func @f() {
    %a = arith.constant {id = "a"} dense<1> : tensor<100xi64>
    %b = arith.constant {id = "b"} dense<2> : tensor<100xi64>
    %n = "t.neg"(%b) {id = "n"} : (tensor<100xi64>) -> tensor<100xi64>
    %r = "t.run"(%a) ({
    ^bb0(%i: tensor<100xi64>):
      %k = arith.constant {id = "inner"} dense<3> : tensor<100xi64>
      %c = "t.add"(%i, %n) {id = "c"} : (tensor<100xi64>, tensor<100xi64>) -> tensor<100xi64>
      %d = "t.add"(%c, %k) {id = "d"} : (tensor<100xi64>, tensor<100xi64>) -> tensor<100xi64>
      "t.yield"(%d) {id = "end"} : (tensor<100xi64>) -> ()
    }) {id = "run", n = 2} : (tensor<100xi64>) -> tensor<100xi64>
    %s = "t.sum"(%r) {id = "s"} : (tensor<100xi64>) -> tensor<i64>
    "other.use"(%s) : (tensor<i64>) -> ()
    return
  })mlir");
  plan(0);
  EXPECT_EQ(ints("s"), list({100 * (1 + 2 * (-2 + 3))}));
  EXPECT_EQ(action("run"), Action::Folded);
  for (llvm::StringRef id : {"a", "b", "inner", "c", "d", "end"})
    EXPECT_EQ(action(id), Action::Removed) << id.str();
  EXPECT_EQ(action("n"), Action::Folded);
  for (llvm::StringRef id : {"a", "b", "inner", "c", "d", "end", "n", "run"})
    EXPECT_EQ(code(id), "none") << id.str();
  // %a and %b die, and what is stored in the body, which was not counted.
  EXPECT_EQ(current->growth(), 8 - 2400);
  applyAndCheck();
  for (llvm::StringRef id : {"a", "b", "inner", "run"})
    EXPECT_FALSE(exists(id)) << id.str();
}

TEST_F(SequencesTest, overTheBudgetALoopStaysAsItIs) {
  const char *source = R"mlir(func.func @f() {
    %a = arith.constant {id = "a"} dense<1> : tensor<1xi64>
    %b = "t.neg"(%a) {id = "b"} : (tensor<1xi64>) -> tensor<1xi64>
    %r = "t.run"(%a) ({
    ^bb0(%i: tensor<1xi64>):
      %c = "t.add"(%i, %b) {id = "c"} : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
      %d = "t.neg"(%b) {id = "d"} : (tensor<1xi64>) -> tensor<1xi64>
      %e = "t.add"(%c, %d) {id = "e"} : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
      %g = "t.repeat"(%e) {n = 1000} : (tensor<1xi64>) -> tensor<1000x1xi64>
      "t.yield"(%g) : (tensor<1000x1xi64>) -> ()
    }) {id = "run", n = 1} : (tensor<1xi64>) -> tensor<1000x1xi64>
    "other.use"(%r, %b) : (tensor<1000x1xi64>, tensor<1xi64>) -> ()
    return
  })mlir";
  parse(source);
  plan(8000);
  EXPECT_EQ(action("run"), Action::Folded);
  EXPECT_EQ(current->growth(), 8000); // and %a for the value of %b
  applyAndCheck();
  EXPECT_FALSE(exists("a"));
  parse(source);
  plan(100);
  EXPECT_TRUE(current->isLimited());
  EXPECT_EQ(action("run"), Action::Kept);
  EXPECT_EQ(code("run"), "growth");
  EXPECT_EQ(action("b"), Action::Folded);
  EXPECT_EQ(action("a"), Action::Kept);
  // It was "growth" by itself, which nobody could have helped.
  EXPECT_EQ(action("d"), Action::Kept);
  EXPECT_EQ(code("d"), "growth");
  EXPECT_EQ(code("c"), "growth") << "the reason is that of the loop";
  EXPECT_EQ(current->growth(), 8);
  applyAndCheck();
  EXPECT_TRUE(exists("d"));
}

// A loop that gives a sequence to a user that is kept, is kept itself; nothing in
// its body was folded any more.
TEST_F(SequencesTest, bodiesOfLoopsThatStayFold) {
  const char *source = R"mlir(func.func @f() {
    %a = arith.constant {id = "a"} dense<1> : tensor<2xi64>
    %l = "t.list"(%a) {id = "first"} : (tensor<2xi64>) -> !other.list
    %r = "t.run"(%l) ({
    ^bb0(%i: !other.list):
      %c = "t.add"(%a, %a) {id = "c"} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
      %e = "t.list"(%c, %c) {id = "e"} : (tensor<2xi64>, tensor<2xi64>) -> !other.list
      "t.yield"(%e) : (!other.list) -> ()
    }) {id = "run", n = 2} : (!other.list) -> !other.list
    %q = "t.run"(%r) ({
    ^bb0(%i: !other.list):
      "t.yield"(%i) : (!other.list) -> ()
    }) {id = "again", n = 2} : (!other.list) -> !other.list
    %n = "t.length"(%q) {id = "n"} : (!other.list) -> tensor<1xi64>
    "other.use"(%READ) : (!other.list) -> ()
    return
  })mlir";
  auto reading = [&](llvm::StringRef value) {
    std::string text = source;
    text.replace(text.find("READ"), 4, value);
    parse(text);
    plan();
    EXPECT_EQ(action("n"), Action::Folded);
  };
  reading("r");
  EXPECT_EQ(action("run"), Action::Kept);
  EXPECT_EQ(action("again"), Action::Removed);
  EXPECT_EQ(action("first"), Action::Kept);
  EXPECT_EQ(action("c"), Action::Folded);
  EXPECT_EQ(code("e"), "no-tensor");
  applyAndCheck();
  EXPECT_FALSE(exists("c"));
  reading("q");
  EXPECT_EQ(action("run"), Action::Kept);
  EXPECT_EQ(action("again"), Action::Kept);
  EXPECT_EQ(action("c"), Action::Folded);
  applyAndCheck();
  reading("l");
  EXPECT_EQ(action("run"), Action::Removed);
  EXPECT_EQ(action("c"), Action::Removed);
  EXPECT_EQ(action("first"), Action::Kept);
  applyAndCheck();
  EXPECT_FALSE(exists("run"));
}

// A sequence that is read in the body of a loop is erased with it.
TEST_F(SequencesTest, sequencesThatBodiesReadGoWithThem) {
  const char *source = R"mlir(func.func @f(%x: tensor<2xi64>) {
    %a = arith.constant {id = "a"} dense<1> : tensor<2xi64>
    %l = "t.run"(%a) ({
    ^bb0(%i: tensor<2xi64>):
      %o = "t.list"(%i) {id = "inner"} : (tensor<2xi64>) -> !other.list
      "t.yield"(%o) : (!other.list) -> ()
    }) {id = "list"} : (tensor<2xi64>) -> !other.list
    %r = "t.run"(%READ) ({
    ^bb0(%i: tensor<2xi64>):
      %e = "t.at"(%l) {id = "at"} : (!other.list) -> tensor<2xi64>
      %g = "t.add"(%e, %i) {id = "add"} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
      "t.yield"(%g) : (tensor<2xi64>) -> ()
    }) {id = "run", n = 2} : (tensor<2xi64>) -> tensor<2xi64>
    "other.use"(%r) : (tensor<2xi64>) -> ()
    return
  })mlir";
  auto starting = [&](llvm::StringRef value) {
    std::string text = source;
    text.replace(text.find("READ"), 4, value);
    parse(text);
    plan();
  };
  starting("a");
  EXPECT_EQ(action("list"), Action::Removed);
  EXPECT_EQ(action("inner"), Action::Removed);
  EXPECT_EQ(action("run"), Action::Folded);
  applyAndCheck();
  // The loop is kept; the element folds in its body.
  starting("x");
  EXPECT_EQ(action("list"), Action::Removed);
  EXPECT_EQ(action("run"), Action::Kept);
  EXPECT_EQ(action("at"), Action::Folded);
  EXPECT_EQ(action("a"), Action::Removed);
  applyAndCheck();
}
