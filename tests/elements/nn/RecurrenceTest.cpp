//===- RecurrenceTest.cpp - Layers of recurrent cells ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/nn/Recurrence.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/tests/elements/Naive.h"
#include "llvm/Support/ThreadPool.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {

std::atomic<int64_t> stepsRun;

/// h[t] = f(x[t] * W^T + Wb + h[t-1] * R^T + Rb), c[t] = c[t-1] + p * h[t].
void step(RecurrentStep &s) {
  stepsRun += s.rows;
  s.addRecurrence(s.h, 0, 1, s.gates, s.width);
  for (int64_t row = 0; row < s.rows; ++row) {
    double *h = s.gate(row, 0);
    s.activate(0, h);
    for (int64_t i = 0; i < s.hidden; ++i) {
      s.h[row * s.hidden + i] = h[i];
      s.c[row * s.hidden + i] += s.p[i] * h[i];
    }
  }
}

void scaledSine(double *values, size_t count, double alpha, double beta) {
  for (size_t i = 0; i < count; ++i)
    values[i] = alpha * std::sin(values[i]) + beta;
}

Elements randomTensor(Random &random, ShapeRef shape) {
  return Elements::build<double>(shape, [&](auto out) {
    for (double &value : out)
      value = random.real(-0.7, 0.7);
  });
}

Recurrence randomLayer(Random &random, int64_t steps, int64_t batch,
                       int64_t input, int64_t hidden, bool both) {
  Recurrence layer;
  int64_t directions = both ? 2 : 1;
  layer.x = randomTensor(random, {steps, batch, input});
  layer.w = randomTensor(random, {directions, hidden, input});
  layer.r = randomTensor(random, {directions, hidden, hidden});
  layer.b = randomTensor(random, {directions, 2 * hidden});
  layer.p = randomTensor(random, {directions, hidden});
  layer.h = randomTensor(random, {directions, batch, hidden});
  layer.c = randomTensor(random, {directions, batch, hidden});
  for (int64_t i = 0; i < batch; ++i)
    layer.lengths.push_back(random.integer(0, steps));
  layer.directions.push_back({!both, {{scaledSine, 0.9, 0.1}}});
  if (both)
    layer.directions.push_back({true, {{scaledSine, 0.5, -0.2}}});
  layer.clip = 1;
  layer.step = step;
  return layer;
}

/// One sequence in one direction, one element at a time.
class NaiveSequence {
public:
  NaiveSequence(const Recurrence &l, int64_t d, int64_t sequence)
      : l(l), d(d), sequence(sequence), n(l.hidden()) {
    for (int64_t i = 0; i < n; ++i) {
      int64_t at = (d * l.batch() + sequence) * n + i;
      h.push_back(l.h ? l.h.value<double>(at) : 0);
      c.push_back(l.c ? l.c.value<double>(at) : 0);
    }
  }

  void run(int64_t time) {
    std::vector<long double> next(n);
    const Activation &f = l.directions[d].activations[0];
    int64_t input = l.x.dim(2);
    for (int64_t i = 0; i < n; ++i) {
      long double sum = 0;
      if (l.b)
        sum = (long double)l.b.value<double>(d * 2 * n + i) +
              l.b.value<double>((d * 2 + 1) * n + i);
      for (int64_t k = 0; k < input; ++k)
        sum += (long double)l.w.value<double>((d * n + i) * input + k) *
               l.x.value<double>((time * l.batch() + sequence) * input + k);
      for (int64_t k = 0; k < n; ++k)
        sum += l.r.value<double>((d * n + i) * n + k) * h[k];
      sum = std::clamp<long double>(sum, -l.clip, l.clip);
      next[i] = f.alpha * std::sin(sum) + f.beta;
      c[i] += l.p.value<double>(d * n + i) * next[i];
    }
    h = next;
  }

  std::vector<long double> h, c;

private:
  const Recurrence &l;
  int64_t d, sequence, n;
};

void expectNear(const std::vector<double> &got, int64_t at,
                const std::vector<long double> &want) {
  for (size_t i = 0; i < want.size(); ++i)
    ASSERT_NEAR(got[at + i], double(want[i]), 1e-12);
}

void compareWithNaive(const Recurrence &l) {
  RecurrenceResult result = recur(l);
  auto y = result.y.values<double>(), h = result.h.values<double>(),
       c = result.c.values<double>();
  int64_t directions = l.directions.size(), n = l.hidden();
  for (int64_t d = 0; d < directions; ++d)
    for (int64_t s = 0; s < l.batch(); ++s) {
      NaiveSequence naive(l, d, s);
      for (int64_t t = 0; t < l.steps(); ++t) {
        bool runs = t < l.lengths[s];
        int64_t time =
            runs && l.directions[d].backward ? l.lengths[s] - 1 - t : t;
        if (runs)
          naive.run(time);
        std::vector<long double> zeros(n, 0.0L);
        expectNear(y, ((time * directions + d) * l.batch() + s) * n,
                   runs ? naive.h : zeros);
      }
      expectNear(h, (d * l.batch() + s) * n, naive.h);
      expectNear(c, (d * l.batch() + s) * n, naive.c);
    }
}

TEST(Recurrence, AsOneElementAtATime) {
  Random random(1);
  for (int i = 0; i < 30; ++i)
    compareWithNaive(randomLayer(random, random.integer(0, 6),
                                 random.integer(0, 5), random.integer(0, 4),
                                 random.integer(0, 5), i % 2));
}

// More sequences than a block has, more steps than one product.
TEST(Recurrence, SeveralBlocks) {
  Random random(2);
  compareWithNaive(randomLayer(random, 9, 70, 3, 4, true));
  compareWithNaive(randomLayer(random, 300, 2, 3, 2, true));
}

TEST(Recurrence, WithoutBiasAndFirstStates) {
  Random random(3);
  Recurrence layer = randomLayer(random, 4, 3, 2, 3, false);
  layer.b = layer.h = layer.c = Elements();
  compareWithNaive(layer);
}

TEST(Recurrence, SameBytesWithSeveralThreads) {
  Random random(4);
  Recurrence layer = randomLayer(random, 40, 100, 5, 6, true);
  RecurrenceResult one = recur(layer);
  Elements y = one.y.materialize(), c = one.c.materialize();
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(3));
  ParallelScope scope(pool);
  RecurrenceResult many = recur(layer);
  EXPECT_TRUE(many.y.materialize().identicalTo(y));
  EXPECT_TRUE(many.c.materialize().identicalTo(c));
}

// Once all three results were views of one deferred buffer, which is computed
// again for the second reader: an LSTM with three outputs ran twice.
TEST(Recurrence, RunsOnceForAllResults) {
  Random random(5);
  Recurrence layer = randomLayer(random, 200, 40, 2, 64, false);
  layer.lengths.assign(40, 200);
  RecurrenceResult first = recur(layer);
  stepsRun = 0;
  Elements y = first.y.materialize(), h = first.h.materialize();
  first.c.materialize();
  EXPECT_EQ(stepsRun, 200 * 40);
  RecurrenceResult second = recur(layer);
  stepsRun = 0;
  EXPECT_TRUE(second.h.materialize().identicalTo(h));
  EXPECT_TRUE(second.y.materialize().identicalTo(y));
  EXPECT_EQ(stepsRun, 200 * 40);
  layer.allSteps = false;
  EXPECT_TRUE(recur(layer).h.materialize().identicalTo(h));
}

TEST(Recurrence, NaNIsTheQuietOne) {
  Random random(6);
  Recurrence layer = randomLayer(random, 1, 1, 1, 1, false);
  layer.lengths = {1};
  layer.x = Elements::fromValues<double>(
      {1, 1, 1}, {-std::numeric_limits<double>::quiet_NaN()});
  double value = recur(layer).y.value<double>();
  EXPECT_EQ(std::bit_cast<uint64_t>(value), 0x7FF8000000000000u);
}

} // namespace
