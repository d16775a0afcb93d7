//===- CastBench.cpp - Casts and quantisation against memcpy --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The baseline copies the bytes of the result. Where these are fewer than the
// operand's the limit is by the operand's: memcpy reads and writes as much.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/bench/elements/Rows.h"
#include "onnxfold/elements/ops/Quantize.h"

using namespace onnxfold;
using namespace onnxfold::ops;
using namespace onnxfold::bench;

namespace castBench {

const Elements &x() { return Inputs::get().x; }

/// x in another type, made in the process that measures.
const Elements &input(DataType type) {
  static Elements made;
  if (!made || made.type() != type)
    made = cast(x(), type).materialize();
  return made;
}

void castRow(DataType from, DataType to, double limit) {
  addRow({.name = "cast/" + name(from).str() + "-" + name(to).str(),
          .make = [=] { return std::vector{cast(input(from), to)}; },
          .limit = limit});
}

void addCasts() {
  using enum DataType;
  castRow(Float32, Float16, 2.5);
  castRow(Float16, Float32, 2.5);
  castRow(Int8, Float32, 2.5);
  castRow(Int64, Int32, 2.5);
  castRow(Float32, Float8E4M3FN, 8);
  castRow(Float32, Int4, 8);
  castRow(Float32, BFloat16, 0);
  castRow(Float32, Float64, 0);
  castRow(Float32, Int32, 0);
  castRow(Float32, Int8, 0);
  castRow(Float32, Bool, 0);
  castRow(Int32, Int64, 0);
}

Elements scales(ShapeRef shape) {
  return Elements::build<float>(shape, [](llvm::MutableArrayRef<float> out) {
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = 0.03f + float(i % 7) * 0.001f;
  });
}

void addQuantisation() {
  struct Granularity {
    const char *name;
    Elements scale, zero;
    QuantizeOptions options;
  };
  auto make = [](const char *name, ShapeRef shape, QuantizeOptions options) {
    Elements scale = scales(shape);
    return Granularity{name, scale, cast(scale, DataType::Int8).materialize(),
                       options};
  };
  for (const Granularity &g :
       {make("tensor", {}, {}), make("first_axis", {side}, {.axis = 0}),
        make("last_axis", {side}, {.axis = 1}),
        make("blocks_of_32", {side, side / 32},
             {.axis = 1, .blockSize = 32})}) {
    bool ofIssue = g.options.blockSize == 0;
    QuantizeOptions down = g.options, up = g.options;
    down.to = DataType::Int8;
    up.to = DataType::Float32;
    addRow(
        {.name = std::string("quantize/") + g.name,
         .make =
             [=] { return std::vector{quantize(x(), g.scale, g.zero, down)}; },
         .limit = ofIssue ? 4.0 : 0.0});
    addRow({.name = std::string("dequantize/") + g.name,
            .make =
                [=] {
                  return std::vector{
                      dequantize(input(DataType::Int8), g.scale, g.zero, up)};
                },
            .limit = ofIssue ? 4.0 : 0.0});
  }
}

const bool registered = [] {
  addCasts();
  addQuantisation();
  return true;
}();

} // namespace castBench
