//===- ReductionBench.cpp - Reductions and products -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Reductions against a memcpy of their input; matrix products against Eigen's
// own product of the same sizes in double, compiled as it is for the library.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/bench/elements/Rows.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/elements/ops/Reduce.h"
#include <Eigen/Core>

using namespace onnxfold;
using namespace onnxfold::ops;
using namespace onnxfold::bench;

namespace reductionBench {

const Elements &x() { return Inputs::get().x; }

void row(std::string name, double limit, std::function<Elements()> make) {
  addRow({.name = std::move(name),
          .make = [make] { return std::vector{make()}; },
          .limit = limit,
          .bytes = count * 4});
}

void addReductions() {
  auto along = [](ShapeRef axes, Reduction kind) {
    return
        [axes = Shape(axes), kind] { return reduce(x(), axes, false, kind); };
  };
  row("sum_last", 1.0, along({1}, Reduction::Sum));
  row("sum_first", 1.3, along({0}, Reduction::Sum));
  row("sum_all", 1.0, along({0, 1}, Reduction::Sum));
  row("sum_middle", 0, [] {
    return reduce(Inputs::shaped(x(), {64, 64, 12208}), {1}, false,
                  Reduction::Sum);
  });
  row("max_last", 0, along({1}, Reduction::Max));
  row("max_first", 0, along({0}, Reduction::Max));
  row("argmax_last", 0, [] { return argReduce(x(), 1, false, true, false); });
  row("softmax_last", 0, [] { return softmax(x(), 1); });
}

using Matrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void addProduct(int64_t n, DataType type, double limit) {
  std::string text = "matmul_" + std::to_string(n) + "_" + name(type).str();
  benchmark::RegisterBenchmark(
      text.c_str(),
      [=](benchmark::State &state) {
        auto square = [&](const Elements &e) {
          return cast(Inputs::shaped(e, {n, n}), type).materialize();
        };
        Elements a = square(x()), b = square(Inputs::get().y);
        report(state, [&]() -> Values {
          Matrix left = Matrix::Random(n, n), right = Matrix::Random(n, n);
          Matrix product(n, n);
          HeapBuffer out(n * n * 8);
          auto eigen = [&] { product.noalias() = left * right; };
          auto ours = [&] { matmul(a, b).read(out.data()); };
          Medians one = measureInTurn(eigen, ours);
          Values values = {{"seconds", one.subject},
                           {"baseline", one.baseline},
                           {"gflops", 2e-9 * double(n * n * n) / one.subject}};
          if (limit > 0)
            values["limit"] = limit;
          llvm::DefaultThreadPool pool(llvm::hardware_concurrency(2));
          Medians single = measureInTurn(arithmeticLoop, ours);
          ParallelScope scope(pool);
          PeakMeter peak;
          Medians two = measureInTurn(arithmeticLoop, ours);
          values["peak_bytes"] = double(peak.bytes());
          values["limit_bytes"] = 8 << 20;
          values["speedup"] = single.subject / two.subject;
          values["speedup_possible"] = single.baseline / two.baseline;
          values["limit_speedup"] = 0.85;
          return values;
        });
      })
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

const bool registered = [] {
  addReductions();
  addProduct(256, DataType::Float32, 0);
  addProduct(512, DataType::Float32, 0);
  addProduct(1024, DataType::Float32, 1.2);
  addProduct(1024, DataType::Float64, 0);
  addProduct(1024, DataType::Float16, 0);
  return true;
}();

} // namespace reductionBench
