//===- Recurrent.cpp - Common part of RNN, GRU and LSTM in DML ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Recurrent.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <limits>

using namespace onnxfold;
using namespace onnxfold::dml;

namespace {

struct Activation {
  std::string name;
  double alpha = 0, beta = 0;
};

/// What one direction leaves: all states, the last one, and that of the cell.
struct Direction {
  Expr y, h, c;
};

class Layer {
public:
  Layer(LoweringContext &cx, RecurrentKind kind) : cx(cx), kind(kind) {}
  Lowered lower();

private:
  enum Input { X, W, R, B, sequenceLens, initialH, initialC, P };

  Lowered readSizes();
  Lowered readActivations();
  Direction run(int64_t direction);
  Expr rowOf(unsigned input, int64_t direction);
  Expr stateOf(unsigned input, int64_t direction);
  Expr products(int64_t direction);
  Expr recurrentBias(int64_t direction);
  std::vector<Argument> arguments(int64_t direction);
  void define(llvm::ArrayRef<Direction> all);

  int64_t functions() const { return int64_t(kind) + 1; }
  int64_t gates() const {
    return kind == RecurrentKind::RNN ? 1 : kind == RecurrentKind::GRU ? 3 : 4;
  }

  LoweringContext &cx;
  RecurrentKind kind;
  int64_t directions = 1, steps = 0, width = 0, hidden = 0;
  Size batch;
  bool isBackward = false, batchFirst = false, resetsAfter = false;
  std::vector<Activation> activations;
};

} // namespace

Lowered Layer::readSizes() {
  llvm::StringRef direction = cx.op().getString("direction", "forward");
  directions = direction == "bidirectional" ? 2 : 1;
  isBackward = direction == "reverse";
  batchFirst = cx.op().getInt("layout", 0) != 0;
  resetsAfter = cx.op().getInt("linear_before_reset", 0) != 0;
  const Shape &x = cx.input(X).dims;
  steps = x[batchFirst];
  batch = sizeOf({x[!batchFirst]});
  width = x[2];
  hidden = cx.input(R).dims[2];
  for (int64_t size : {steps, width, hidden})
    if (size == batchDim)
      return Lowered::refusedBatch("the number of steps is not known");
  return Lowered::done();
}

/// How many of alpha and beta a function has, and what they are by default.
static unsigned parametersOf(llvm::StringRef name, Activation &byDefault) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  struct Known {
    unsigned count;
    double alpha, beta;
  };
  auto known = llvm::StringSwitch<Known>(name)
                   .Cases({"Relu", "Tanh", "Sigmoid"}, {0, 0, 0})
                   .Cases({"Softsign", "Softplus"}, {0, 0, 0})
                   .Case("LeakyRelu", {1, 0.01f, 0})
                   .Case("ThresholdedRelu", {1, 1, 0})
                   .Case("Elu", {1, 1, 0})
                   .Cases({"Affine", "ScaledTanh"}, {2, none, none})
                   .Case("HardSigmoid", {2, 0.2f, 0.5})
                   .Default({3, 0, 0});
  byDefault = {name.str(), known.alpha, known.beta};
  return known.count;
}

/// alpha and beta are given for those functions that have them, in their order.
Lowered Layer::readActivations() {
  llvm::SmallVector<llvm::StringRef> names =
      cx.op()
          .getStrings("activations")
          .value_or(llvm::SmallVector<llvm::StringRef>());
  for (int64_t i = 0; int64_t(names.size()) < functions() * directions; ++i)
    names.push_back(kind == RecurrentKind::RNN || i % functions() != 0
                        ? "Tanh"
                        : "Sigmoid");
  auto alphas = cx.op().getFloats("activation_alpha"),
       betas = cx.op().getFloats("activation_beta");
  size_t nextAlpha = 0, nextBeta = 0;
  auto take = [](auto &list, size_t &next, double &value) {
    if (list && next < list->size())
      value = (*list)[next++];
  };
  for (llvm::StringRef name : names) {
    Activation one;
    unsigned count = parametersOf(name, one);
    if (count > 2)
      return Lowered::refused("activation '" + name + "' is not known");
    if (count > 0)
      take(alphas, nextAlpha, one.alpha);
    if (count > 1)
      take(betas, nextBeta, one.beta);
    if (std::isnan(one.alpha) || std::isnan(one.beta))
      return Lowered::refused("activation '" + name +
                              "' has no alpha and beta");
    activations.push_back(one);
  }
  return Lowered::done();
}

/// What an input of [directions, ...] has for one of them, as a row.
Expr Layer::rowOf(unsigned input, int64_t direction) {
  Expr all = cx.matrix(input);
  return directions == 1
             ? all
             : cx.local("of_direction", all.slice(direction + 1, {}, {}, {}));
}

/// A state of [directions, batch, hidden] or [batch, directions, hidden].
Expr Layer::stateOf(unsigned input, int64_t direction) {
  if (!cx.hasInput(input))
    return cx.filled(0, batch, {hidden});
  if (!batchFirst)
    return cx
        .reshape({rowOf(input, direction), {}, {batch.count * hidden}}, batch,
                 {hidden})
        .expr;
  Expr all = cx.matrix(input);
  return directions == 1 ? all
                         : all.slice({}, {}, direction * hidden + 1,
                                     (direction + 1) * hidden);
}

/// What is added to the products of the state outside of the reset.
Expr Layer::recurrentBias(int64_t direction) {
  int64_t all = gates() * hidden;
  Expr row = rowOf(B, direction);
  Expr input = row.slice({}, {}, 1, all),
       state = row.slice({}, {}, all + 1, 2 * all);
  if (kind != RecurrentKind::GRU || !resetsAfter)
    return input + state;
  Expr both = row.slice({}, {}, 1, 2 * hidden) +
              row.slice({}, {}, all + 1, all + 2 * hidden);
  return call("cbind", {both, row.slice({}, {}, 2 * hidden + 1, all)});
}

/// x[t] * W^T and the biases, with one row for each x[t], or with all steps of
/// a sequence in one row.
Expr Layer::products(int64_t direction) {
  int64_t all = gates() * hidden;
  View rows = cx.view(X, 2);
  Expr weights =
      cx.reshape({rowOf(W, direction), {}, {all * width}}, {all}, {width}).expr;
  Expr product = rows.expr.times(call("t", {weights}));
  if (cx.hasInput(B))
    product = product + recurrentBias(direction);
  View result{product, rows.rows, {all}};
  if (batchFirst)
    result = cx.reshape(result, batch, {steps * all});
  return cx.local("products", result.expr);
}

std::vector<Argument> Layer::arguments(int64_t direction) {
  int64_t all = gates() * hidden;
  Expr weights =
      cx.reshape({rowOf(R, direction), {}, {all * hidden}}, {all}, {hidden})
          .expr;
  std::vector<Argument> list{products(direction),
                             cx.local("weights", call("t", {weights})),
                             stateOf(initialH, direction)};
  if (kind == RecurrentKind::LSTM)
    list.push_back(stateOf(initialC, direction));
  bool isMasked = cx.hasInput(sequenceLens);
  list.push_back(isMasked ? cx.reshape(cx.natural(sequenceLens), batch, {}).expr
                          : cx.filled(steps, batch, {}));
  if (kind == RecurrentKind::GRU) {
    list.push_back(
        cx.hasInput(B) && resetsAfter
            ? rowOf(B, direction).slice({}, {}, 5 * hidden + 1, 6 * hidden)
            : cx.filled(0, {}, {hidden}));
    list.push_back(int64_t(resetsAfter));
  }
  if (kind == RecurrentKind::LSTM) {
    bool hasP = cx.hasInput(P);
    View row{hasP ? rowOf(P, direction) : cx.filled(0, {}, {3 * hidden}),
             {},
             {3 * hidden}};
    list.push_back(cx.reshape(row, {3}, {hidden}).expr);
    list.push_back(int64_t(hasP));
    list.push_back(int64_t(cx.op().getInt("input_forget", 0) != 0));
  }
  bool backward = isBackward || direction == 1;
  for (int64_t number :
       {steps, int64_t(batchFirst), int64_t(backward), int64_t(isMasked)})
    list.push_back(number);
  llvm::ArrayRef<Activation> own =
      llvm::ArrayRef<Activation>(activations)
          .slice(direction * functions(), functions());
  std::vector<double> parameters;
  for (const Activation &one : own) {
    list.push_back(Expr::text(one.name));
    parameters.insert(parameters.end(), {one.alpha, one.beta});
  }
  list.push_back(cx.constantMatrix(
      "alpha_beta", Elements::fromValues<double>({functions(), 2}, parameters),
      functions(), 2));
  float clip = cx.op().getFloat("clip", 0);
  list.push_back(cx.op().has("clip") ? double(clip)
                                     : std::numeric_limits<double>::infinity());
  return list;
}

Direction Layer::run(int64_t direction) {
  std::vector<Argument> list = arguments(direction);
  if (kind == RecurrentKind::LSTM) {
    auto all = cx.locals({"states", "last", "last_cell"},
                         cx.helper("lstm_layer", list));
    return {all[0], all[1], all[2]};
  }
  const char *name = kind == RecurrentKind::RNN ? "rnn_layer" : "gru_layer";
  auto all = cx.locals({"states", "last"}, cx.helper(name, list));
  return {all[0], all[1], {}};
}

/// Y is [steps, directions, batch, hidden] or [batch, steps, directions,
/// hidden]; states as stateOf has them.
void Layer::define(llvm::ArrayRef<Direction> all) {
  Size inner{batch.count * hidden, batch.perBatch},
      outer{batch.count * steps, batch.perBatch};
  if (cx.isUsed(0)) {
    std::vector<Argument> parts;
    Size rows = batchFirst ? outer : Size{steps},
         columns = batchFirst ? Size{hidden} : inner;
    for (const Direction &one : all) {
      View y = batchFirst ? View{one.y, batch, {steps * hidden}}
                          : View{one.y, outer, {hidden}};
      parts.push_back(cx.reshape(y, rows, columns).expr);
    }
    Expr y = parts.size() == 1 ? parts[0].value : call("cbind", parts);
    columns.count *= directions;
    cx.define(0, View{y, rows, columns});
  }
  for (unsigned i : {1u, 2u}) {
    if (!cx.isUsed(i))
      continue;
    std::vector<Argument> parts;
    for (const Direction &one : all)
      parts.push_back(i == 1 ? one.h : one.c);
    Size rows = batch, columns{hidden};
    (batchFirst ? columns : rows).count *= directions;
    Expr state = parts.size() == 1
                     ? parts[0].value
                     : call(batchFirst ? "cbind" : "rbind", parts);
    cx.define(i, View{state, rows, columns});
  }
}

Lowered Layer::lower() {
  for (auto step : {&Layer::readSizes, &Layer::readActivations})
    if (Lowered wrong = (this->*step)(); !wrong.isDone())
      return wrong;
  std::vector<Direction> all;
  for (int64_t i = 0; i < directions; ++i)
    all.push_back(run(i));
  define(all);
  return Lowered::done();
}

Lowered dml::lowerRecurrent(LoweringContext &cx, RecurrentKind kind) {
  return Layer(cx, kind).lower();
}
