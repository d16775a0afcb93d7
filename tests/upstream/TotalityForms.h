//===- TotalityForms.h - One form of each operation of MLIR -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// MLIR text of the operations that TotalityTest cannot make from one operand
// type: with attributes, bodies, operands of several shapes. !e is an element
// type, !acc another one.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_UPSTREAM_TOTALITYFORMS_H
#define ONNXFOLD_TESTS_UPSTREAM_TOTALITYFORMS_H

/// A named operation of linalg: shapes of its inputs, or scalar types, and of
/// its output.
struct NamedForm {
  const char *name;
  std::vector<const char *> inputs;
  const char *output;
};
const NamedForm namedForms[] = {
    {"abs", {"2x3"}, "2x3"},
    {"ceil", {"2x3"}, "2x3"},
    {"copy", {"2x3"}, "2x3"},
    {"erf", {"2x3"}, "2x3"},
    {"exp", {"2x3"}, "2x3"},
    {"floor", {"2x3"}, "2x3"},
    {"log", {"2x3"}, "2x3"},
    {"negf", {"2x3"}, "2x3"},
    {"reciprocal", {"2x3"}, "2x3"},
    {"round", {"2x3"}, "2x3"},
    {"rsqrt", {"2x3"}, "2x3"},
    {"sqrt", {"2x3"}, "2x3"},
    {"square", {"2x3"}, "2x3"},
    {"tanh", {"2x3"}, "2x3"},
    {"add", {"2x3", "2x3"}, "2x3"},
    {"sub", {"2x3", "2x3"}, "2x3"},
    {"mul", {"2x3", "2x3"}, "2x3"},
    {"div", {"2x3", "2x3"}, "2x3"},
    {"div_unsigned", {"2x3", "2x3"}, "2x3"},
    {"max", {"2x3", "2x3"}, "2x3"},
    {"min", {"2x3", "2x3"}, "2x3"},
    {"powf", {"2x3", "2x3"}, "2x3"},
    {"dot", {"3", "3"}, ""},
    {"matmul", {"2x3", "3x4"}, "2x4"},
    {"matvec", {"2x3", "3"}, "2"},
    {"vecmat", {"3", "3x2"}, "2"},
    {"batch_matmul", {"2x2x3", "2x3x4"}, "2x2x4"},
    {"batch_matvec", {"2x2x3", "2x3"}, "2x2"},
    {"batch_vecmat", {"2x3", "2x3x2"}, "2x2"},
    {"batch_reduce_matmul", {"2x2x3", "2x3x4"}, "2x4"},
    {"mmt4d", {"1x2x2x3", "1x2x2x3"}, "1x1x2x2"},
    {"batch_mmt4d", {"2x1x2x2x3", "2x1x2x2x3"}, "2x1x1x2x2"},
    {"conv_1d", {"4", "2"}, "3"},
    {"conv_2d", {"4x4", "2x2"}, "3x3"},
    {"conv_3d", {"4x4x4", "2x2x2"}, "3x3x3"},
    {"conv_1d_nwc_wcf", {"1x4x2", "2x2x3"}, "1x3x3"},
    {"conv_1d_ncw_fcw", {"1x2x4", "3x2x2"}, "1x3x3"},
    {"conv_2d_nhwc_hwcf", {"1x4x4x2", "2x2x2x3"}, "1x3x3x3"},
    {"conv_2d_nhwc_fhwc", {"1x4x4x2", "3x2x2x2"}, "1x3x3x3"},
    {"conv_2d_nchw_fchw", {"1x2x4x4", "3x2x2x2"}, "1x3x3x3"},
    {"conv_2d_ngchw_fgchw", {"1x2x2x4x4", "3x2x2x2x2"}, "1x2x3x3x3"},
    {"conv_2d_ngchw_gfchw", {"1x2x2x4x4", "2x3x2x2x2"}, "1x2x3x3x3"},
    {"conv_2d_nhwgc_gfhwc", {"1x4x4x2x2", "2x3x2x2x2"}, "1x3x3x2x3"},
    {"conv_3d_ndhwc_dhwcf", {"1x3x3x3x2", "2x2x2x2x3"}, "1x2x2x2x3"},
    {"conv_3d_ncdhw_fcdhw", {"1x2x3x3x3", "3x2x2x2x2"}, "1x3x2x2x2"},
    {"depthwise_conv_1d_nwc_wc", {"1x4x2", "2x2"}, "1x3x2"},
    {"depthwise_conv_1d_ncw_cw", {"1x2x4", "2x2"}, "1x2x3"},
    {"depthwise_conv_1d_nwc_wcm", {"1x4x2", "2x2x3"}, "1x3x2x3"},
    {"depthwise_conv_2d_nhwc_hwc", {"1x4x4x2", "2x2x2"}, "1x3x3x2"},
    {"depthwise_conv_2d_nchw_chw", {"1x2x4x4", "2x2x2"}, "1x2x3x3"},
    {"depthwise_conv_2d_nhwc_hwcm", {"1x4x4x2", "2x2x2x3"}, "1x3x3x2x3"},
    {"depthwise_conv_3d_ndhwc_dhwc", {"1x3x3x3x2", "2x2x2x2"}, "1x2x2x2x2"},
    {"depthwise_conv_3d_ncdhw_cdhw", {"1x2x3x3x3", "2x2x2x2"}, "1x2x2x2x2"},
    {"depthwise_conv_3d_ndhwc_dhwcm",
     {"1x3x3x3x2", "2x2x2x2x3"},
     "1x2x2x2x2x3"},
    {"pooling_nwc_sum", {"1x4x2", "2"}, "1x3x2"},
    {"pooling_nhwc_sum", {"1x4x4x2", "2x2"}, "1x3x3x2"},
    {"pooling_nwc_max", {"1x4x2", "2"}, "1x3x2"},
    {"pooling_nhwc_max", {"1x4x4x2", "2x2"}, "1x3x3x2"},
    {"pooling_nwc_min", {"1x4x2", "2"}, "1x3x2"},
    {"pooling_nhwc_min", {"1x4x4x2", "2x2"}, "1x3x3x2"},
    {"pooling_nwc_max_unsigned", {"1x4x2", "2"}, "1x3x2"},
    {"pooling_nhwc_max_unsigned", {"1x4x4x2", "2x2"}, "1x3x3x2"},
    {"pooling_nwc_min_unsigned", {"1x4x2", "2"}, "1x3x2"},
    {"pooling_nhwc_min_unsigned", {"1x4x4x2", "2x2"}, "1x3x3x2"},
    {"pooling_ncw_sum", {"1x2x4", "2"}, "1x2x3"},
    {"pooling_nchw_sum", {"1x2x4x4", "2x2"}, "1x2x3x3"},
    {"pooling_ncw_max", {"1x2x4", "2"}, "1x2x3"},
    {"pooling_nchw_max", {"1x2x4x4", "2x2"}, "1x2x3x3"},
    {"pooling_ndhwc_sum", {"1x3x3x3x2", "2x2x2"}, "1x2x2x2x2"},
    {"pooling_ndhwc_max", {"1x3x3x3x2", "2x2x2"}, "1x2x2x2x2"},
    {"pooling_ndhwc_min", {"1x3x3x3x2", "2x2x2"}, "1x2x2x2x2"},
    {"quantized_matmul", {"2x3", "3x4", "i32", "i32"}, "2x4"},
    {"quantized_batch_matmul", {"2x2x3", "2x3x4", "i32", "i32"}, "2x2x4"},
    {"conv_2d_nhwc_hwcf_q", {"1x4x4x2", "2x2x2x3", "i32", "i32"}, "1x3x3x3"},
    {"conv_2d_nhwc_fhwc_q", {"1x4x4x2", "3x2x2x2", "i32", "i32"}, "1x3x3x3"},
    {"conv_2d_nchw_fchw_q", {"1x2x4x4", "3x2x2x2", "i32", "i32"}, "1x3x3x3"},
    {"conv_2d_ngchw_gfchw_q",
     {"1x2x2x4x4", "2x3x2x2x2", "i32", "i32"},
     "1x2x3x3x3"},
    {"conv_2d_nhwgc_gfhwc_q",
     {"1x4x4x2x2", "2x3x2x2x2", "i32", "i32"},
     "1x3x3x2x3"},
    {"conv_3d_ndhwc_dhwcf_q",
     {"1x3x3x3x2", "2x2x2x2x3", "i32", "i32"},
     "1x2x2x2x3"},
    {"depthwise_conv_2d_nhwc_hwc_q",
     {"1x4x4x2", "2x2x2", "i32", "i32"},
     "1x3x3x2"},
    {"depthwise_conv_2d_nhwc_hwcm_q",
     {"1x4x4x2", "2x2x2x3", "i32", "i32"},
     "1x3x3x2x3"},
};

/// The arguments of a function, and its body.
struct TextForm {
  const char *arguments, *body;
  bool needsFloats = false; // MLIR's parser has no other elements here
};
const TextForm textForms[] =
    {
        {"%x: tensor<4x!e>, %s: tensor<4x!acc>",
         R"mlir(%r = arith.scaling_extf %x, %s : tensor<4x!e>, tensor<4x!acc> to tensor<4xf32>)mlir"},
        {"%x: tensor<4xf32>, %s: tensor<4x!acc>",
         R"mlir(%r = arith.scaling_truncf %x, %s : tensor<4xf32>, tensor<4x!acc> to tensor<4x!e>)mlir"},
        {"%x: !e, %s: !acc",
         R"mlir(%r = arith.scaling_extf %x, %s : !e, !acc to f32)mlir"},
        {"%x: tensor<4x!e>, %n: tensor<4x!acc>",
         R"mlir(%r = math.fpowi %x, %n : tensor<4x!e>, tensor<4x!acc>)mlir"},
        {"%x: !e, %n: !acc", R"mlir(%r = math.fpowi %x, %n : !e, !acc)mlir"},
        {"%x: !e", R"mlir(%r = tensor.splat %x : tensor<2x3x!e>)mlir"},
        {"%x: !e",
         R"mlir(%r = tensor.from_elements %x, %x : tensor<2x!e>)mlir"},
        {"%x: tensor<2x3x!e>, %i: index",
         R"mlir(%r = tensor.extract %x[%i, %i] : tensor<2x3x!e>)mlir"},
        {"%v: !e, %x: tensor<2x3x!e>, %i: index",
         R"mlir(%r = tensor.insert %v into %x[%i, %i] : tensor<2x3x!e>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tensor.extract_slice %x[0, 1] [2, 1] [1, 1] : tensor<2x3x!e> to tensor<2x!e>)mlir"},
        {"%v: tensor<2x1x!e>, %x: tensor<2x3x!e>",
         R"mlir(%r = tensor.insert_slice %v into %x[0, 1] [2, 1] [1, 1] : tensor<2x1x!e> into tensor<2x3x!e>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tensor.collapse_shape %x [[0, 1]] : tensor<2x3x!e> into tensor<6x!e>)mlir"},
        {"%x: tensor<6x!e>",
         R"mlir(%r = tensor.expand_shape %x [[0, 1]] output_shape [2, 3] : tensor<6x!e> into tensor<2x3x!e>)mlir"},
        {"%x: tensor<2x3x!e>, %s: tensor<1xindex>",
         R"mlir(%r = tensor.reshape %x(%s) : (tensor<2x3x!e>, tensor<1xindex>) -> tensor<?x!e>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tensor.concat dim(1) %x, %x : (tensor<2x3x!e>, tensor<2x3x!e>) -> tensor<2x6x!e>)mlir"},
        {"%x: tensor<2x3x!e>, %i: index",
         R"mlir(%r = tensor.dim %x, %i : tensor<2x3x!e>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tensor.rank %x : tensor<2x3x!e>)mlir"},
        {"%x: tensor<2x3x!e>, %i: tensor<2x1xindex>",
         R"mlir(%r = tensor.gather %x[%i] gather_dims([1]) : (tensor<2x3x!e>, tensor<2x1xindex>) -> tensor<2x2x1x!e>)mlir"},
        {"%v: tensor<1x2x1x!e>, %x: tensor<2x3x!e>, %i: tensor<1x1xi32>",
         R"mlir(%r = tensor.scatter %v into %x[%i] scatter_dims([1]) unique : (tensor<1x2x1x!e>, tensor<2x3x!e>, tensor<1x1xi32>) -> tensor<2x3x!e>)mlir"},
        {"%x: tensor<2x!e>, %v: !e", R"mlir(%r = tensor.pad %x low[1] high[0] {
    ^bb0(%i: index):
      tensor.yield %v : !e
    } : tensor<2x!e> to tensor<3x!e>)mlir"},
        {"%v: !e", R"mlir(%r = tensor.generate {
    ^bb0(%i: index):
      tensor.yield %v : !e
    } : tensor<3x!e>)mlir"},
        {"%x: tensor<2x3x!e>, %o: tensor<3x2x!e>",
         R"mlir(%r = linalg.transpose ins(%x : tensor<2x3x!e>) outs(%o : tensor<3x2x!e>) permutation = [1, 0])mlir"},
        {"%x: tensor<3x!e>, %o: tensor<2x3x!e>",
         R"mlir(%r = linalg.broadcast ins(%x : tensor<3x!e>) outs(%o : tensor<2x3x!e>) dimensions = [0])mlir"},
        {"%v: !e, %o: tensor<2x3x!acc>",
         R"mlir(%r = linalg.fill ins(%v : !e) outs(%o : tensor<2x3x!acc>) -> tensor<2x3x!acc>)mlir"},
        {"%a: f64, %b: f64, %s: i32, %o: tensor<2x3x!e>",
         R"mlir(%r = linalg.fill_rng_2d ins(%a, %b, %s : f64, f64, i32) outs(%o : tensor<2x3x!e>) -> tensor<2x3x!e>)mlir",
         true},
        {"%x: tensor<2x3x!e>, %o: tensor<3x!e>",
         R"mlir(%r = linalg.reduce { arith.addf } ins(%x : tensor<2x3x!e>) outs(%o : tensor<3x!e>) dimensions = [0])mlir"},
        {"%x: tensor<3x!e>, %o: tensor<3x!e>",
         R"mlir(%r = linalg.map { arith.addf } ins(%x, %x : tensor<3x!e>, tensor<3x!e>) outs(%o : tensor<3x!e>))mlir"},
        {"%x: tensor<3x!e>, %o: tensor<3x!e>",
         R"mlir(%r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3x!e>) outs(%o : tensor<3x!e>) {
    ^bb0(%a: !e, %b: !e):
      %c = arith.addf %a, %b : !e
      linalg.yield %c : !e
    } -> tensor<3x!e>)mlir"},
        {"%x: tensor<2x3x!e>, %o: tensor<3x!e>",
         R"mlir(%r = linalg.reduce { arith.addi } ins(%x : tensor<2x3x!e>) outs(%o : tensor<3x!e>) dimensions = [0])mlir"},
        {"%x: tensor<3x!e>, %o: tensor<3x!e>",
         R"mlir(%r = linalg.map { arith.addi } ins(%x, %x : tensor<3x!e>, tensor<3x!e>) outs(%o : tensor<3x!e>))mlir"},
        {"%x: tensor<3x!e>, %o: tensor<3x!e>",
         R"mlir(%r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3x!e>) outs(%o : tensor<3x!e>) {
    ^bb0(%a: !e, %b: !e):
      %c = arith.addi %a, %b : !e
      linalg.yield %c : !e
    } -> tensor<3x!e>)mlir"},
        {"%x: tensor<3x!e>, %o: tensor<3x!e>",
         R"mlir(%r = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%x : tensor<3x!e>) outs(%o : tensor<3x!e>) -> tensor<3x!e>)mlir",
         true},
        {"%x: tensor<3x!e>, %o: tensor<3x!e>",
         R"mlir(%r = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%x, %x : tensor<3x!e>, tensor<3x!e>) outs(%o : tensor<3x!e>) -> tensor<3x!e>)mlir",
         true},
        {"%c: tensor<3xi1>, %x: tensor<3x!e>, %o: tensor<3x!e>",
         R"mlir(%r = linalg.select ins(%c, %x, %x : tensor<3xi1>, tensor<3x!e>, tensor<3x!e>) outs(%o : tensor<3x!e>) -> tensor<3x!e>)mlir"},
        {"%x: tensor<2x3x!e>, %o: tensor<2x3x!e>",
         R"mlir(%r = linalg.softmax dimension(1) ins(%x : tensor<2x3x!e>) outs(%o : tensor<2x3x!e>) -> tensor<2x3x!e>)mlir"},
        {"%x: tensor<4x!e>, %o: tensor<2x2x!e>",
         R"mlir(%r = linalg.pack %x inner_dims_pos = [0] inner_tiles = [2] into %o : tensor<4x!e> -> tensor<2x2x!e>)mlir"},
        {"%x: tensor<3x!e>, %v: !e, %o: tensor<2x2x!e>",
         R"mlir(%r = linalg.pack %x padding_value(%v : !e) inner_dims_pos = [0] inner_tiles = [2] into %o : tensor<3x!e> -> tensor<2x2x!e>)mlir"},
        {"%x: tensor<2x2x!e>, %o: tensor<4x!e>",
         R"mlir(%r = linalg.unpack %x inner_dims_pos = [0] inner_tiles = [2] into %o : tensor<2x2x!e> -> tensor<4x!e>)mlir"},
        {"%x: tensor<2x3x!e>, %y: tensor<3x4x!e>, %o: tensor<2x4x!acc>",
         R"mlir(%r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %y : tensor<2x3x!e>, tensor<3x4x!e>) outs(%o : tensor<2x4x!acc>) -> tensor<2x4x!acc>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tosa.reduce_all %x {axis = 1 : i32} : (tensor<2x3x!e>) -> tensor<2x1x!e>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tosa.reduce_any %x {axis = 1 : i32} : (tensor<2x3x!e>) -> tensor<2x1x!e>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tosa.reduce_max %x {axis = 1 : i32} : (tensor<2x3x!e>) -> tensor<2x1x!e>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tosa.reduce_min %x {axis = 1 : i32} : (tensor<2x3x!e>) -> tensor<2x1x!e>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tosa.reduce_product %x {axis = 1 : i32} : (tensor<2x3x!e>) -> tensor<2x1x!e>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<2x3x!e>) -> tensor<2x1x!e>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tosa.argmax %x {axis = 1 : i32} : (tensor<2x3x!e>) -> tensor<2xi32>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tosa.reverse %x {axis = 1 : i32} : (tensor<2x3x!e>) -> tensor<2x3x!e>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tosa.concat %x, %x {axis = 1 : i32} : (tensor<2x3x!e>, tensor<2x3x!e>) -> tensor<2x6x!e>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<2x3x!e>) -> tensor<3x2x!e>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%s = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %r = tosa.tile %x, %s : (tensor<2x3x!e>, !tosa.shape<2>) -> tensor<2x6x!e>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%s = tosa.const_shape {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %r = tosa.reshape %x, %s : (tensor<2x3x!e>, !tosa.shape<2>) -> tensor<3x2x!e>)mlir"},
        {"%x: tensor<2x3x!e>", R"mlir(%s = tosa.const_shape {values = dense<[0, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %n = tosa.const_shape {values = dense<[2, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %r = tosa.slice %x, %s, %n : (tensor<2x3x!e>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x2x!e>)mlir"},
        {"%x: tensor<2x3x!e>, %z: tensor<1x!e>",
         R"mlir(%s = tosa.const_shape {values = dense<[0, 1, 0, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
      %r = tosa.pad %x, %s, %z : (tensor<2x3x!e>, !tosa.shape<4>, tensor<1x!e>) -> tensor<3x3x!e>)mlir"},
        {"%x: tensor<1x2x3x!e>, %i: tensor<1x2xi32>",
         R"mlir(%r = tosa.gather %x, %i : (tensor<1x2x3x!e>, tensor<1x2xi32>) -> tensor<1x2x3x!e>)mlir"},
        {"%x: tensor<1x4x3x!e>, %i: tensor<1x2xi32>, %v: tensor<1x2x3x!e>",
         R"mlir(%r = tosa.scatter %x, %i, %v : (tensor<1x4x3x!e>, tensor<1x2xi32>, tensor<1x2x3x!e>) -> tensor<1x4x3x!e>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tosa.clamp %x {min_val = 1 : !e, max_val = 1 : !e} : (tensor<2x3x!e>) -> tensor<2x3x!e>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tosa.clamp %x {min_val = 1.0 : !e, max_val = 1.0 : !e} : (tensor<2x3x!e>) -> tensor<2x3x!e>)mlir"},
        {"%x: tensor<2x3x!e>, %z: tensor<1x!e>",
         R"mlir(%r = tosa.negate %x, %z, %z : (tensor<2x3x!e>, tensor<1x!e>, tensor<1x!e>) -> tensor<2x3x!e>)mlir"},
        {"%x: tensor<2x3x!e>, %z: tensor<1xi8>",
         R"mlir(%r = tosa.mul %x, %x, %z : (tensor<2x3x!e>, tensor<2x3x!e>, tensor<1xi8>) -> tensor<2x3x!acc>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tosa.arithmetic_right_shift %x, %x {round = true} : (tensor<2x3x!e>, tensor<2x3x!e>) -> tensor<2x3x!e>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tosa.arithmetic_right_shift %x, %x {round = false} : (tensor<2x3x!e>, tensor<2x3x!e>) -> tensor<2x3x!e>)mlir"},
        {"%x: tensor<2x3x!e>, %m: tensor<2x3x!acc>, %s: tensor<2x3xi8>",
         R"mlir(%r = tosa.apply_scale %x, %m, %s {rounding_mode = SINGLE_ROUND} : (tensor<2x3x!e>, tensor<2x3x!acc>, tensor<2x3xi8>) -> tensor<2x3xi32>)mlir"},
        {"%x: tensor<2x3x!e>, %m: tensor<1xi32>, %s: tensor<1xi8>, %a: "
         "tensor<1x!e>, %b: tensor<1x!acc>",
         R"mlir(%r = tosa.rescale %x, %m, %s, %a, %b {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x3x!e>, tensor<1xi32>, tensor<1xi8>, tensor<1x!e>, tensor<1x!acc>) -> tensor<2x3x!acc>)mlir"},
        {"%x: tensor<2x3x!e>, %m: tensor<1xi16>, %s: tensor<1xi8>, %a: "
         "tensor<1x!e>, %b: tensor<1x!acc>",
         R"mlir(%r = tosa.rescale %x, %m, %s, %a, %b {scale32 = false, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2x3x!e>, tensor<1xi16>, tensor<1xi8>, tensor<1x!e>, tensor<1x!acc>) -> tensor<2x3x!acc>)mlir"},
        {"%x: tensor<1x2x2x1x!e>",
         R"mlir(%s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
      %o = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %b = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %r = tosa.resize %x, %s, %o, %b {mode = NEAREST_NEIGHBOR} : (tensor<1x2x2x1x!e>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3x3x1x!e>)mlir"},
        {"%x: tensor<1x2x2x1x!e>",
         R"mlir(%s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
      %o = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %b = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %r = tosa.resize %x, %s, %o, %b {mode = BILINEAR} : (tensor<1x2x2x1x!e>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3x3x1x!acc>)mlir"},
        {"%x: tensor<1x4x4x!e>",
         R"mlir(%r, %i = tosa.rfft2d %x : (tensor<1x4x4x!e>) -> (tensor<1x4x3x!e>, tensor<1x4x3x!e>))mlir"},
        {"%x: tensor<1x4x4x!e>",
         R"mlir(%r, %i = tosa.fft2d %x, %x {inverse = false} : (tensor<1x4x4x!e>, tensor<1x4x4x!e>) -> (tensor<1x4x4x!e>, tensor<1x4x4x!e>))mlir"},
        {"%x: tensor<1x4x4x1x!e>",
         R"mlir(%r = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x4x4x1x!e>) -> tensor<1x2x2x1x!e>)mlir"},
        {"%x: tensor<1x4x4x1x!e>, %z: tensor<1x!e>",
         R"mlir(%r = tosa.avg_pool2d %x, %z, %z {acc_type = !acc, kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x4x4x1x!e>, tensor<1x!e>, tensor<1x!e>) -> tensor<1x2x2x1x!e>)mlir"},
        {"%x: tensor<1x2x3x!e>, %y: tensor<1x3x2x!e>, %z: tensor<1x!e>", R"mlir(%r = tosa.matmul %x, %y, %z, %z : (tensor<1x2x3x!e>, tensor<1x3x2x!e>, tensor<1x!e>, tensor<1x!e>) -> tensor<1x2x2x!acc>)mlir"},
        {"%x: tensor<1x3x3x2x!e>, %w: tensor<3x2x2x2x!e>, %b: tensor<3x!acc>, "
         "%z: tensor<1x!e>, %v: tensor<1x!e>",
         R"mlir(%r = tosa.conv2d %x, %w, %b, %z, %v {acc_type = !acc, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x3x3x2x!e>, tensor<3x2x2x2x!e>, tensor<3x!acc>, tensor<1x!e>, tensor<1x!e>) -> tensor<1x2x2x3x!acc>)mlir"},
        {"%x: tensor<1x3x3x2x!e>, %w: tensor<3x2x2x2xi8>, %b: tensor<3x!acc>, "
         "%z: tensor<1x!e>, %v: tensor<1xi8>",
         R"mlir(%r = tosa.conv2d %x, %w, %b, %z, %v {acc_type = !acc, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x3x3x2x!e>, tensor<3x2x2x2xi8>, tensor<3x!acc>, tensor<1x!e>, tensor<1xi8>) -> tensor<1x2x2x3x!acc>)mlir"},
        {"%x: tensor<1x2x3x3x2x!e>, %w: tensor<3x2x2x2x2x!e>, %b: "
         "tensor<3x!acc>, %z: tensor<1x!e>, %v: tensor<1x!e>",
         R"mlir(%r = tosa.conv3d %x, %w, %b, %z, %v {acc_type = !acc, dilation = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>} : (tensor<1x2x3x3x2x!e>, tensor<3x2x2x2x2x!e>, tensor<3x!acc>, tensor<1x!e>, tensor<1x!e>) -> tensor<1x1x2x2x3x!acc>)mlir"},
        {"%x: tensor<1x2x3x3x2x!e>, %w: tensor<3x2x2x2x2xi8>, %b: "
         "tensor<3x!acc>, %z: tensor<1x!e>, %v: tensor<1xi8>",
         R"mlir(%r = tosa.conv3d %x, %w, %b, %z, %v {acc_type = !acc, dilation = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>} : (tensor<1x2x3x3x2x!e>, tensor<3x2x2x2x2xi8>, tensor<3x!acc>, tensor<1x!e>, tensor<1xi8>) -> tensor<1x1x2x2x3x!acc>)mlir"},
        {"%x: tensor<1x3x3x2x!e>, %w: tensor<2x2x2x1x!e>, %b: tensor<2x!acc>, "
         "%z: tensor<1x!e>, %v: tensor<1x!e>",
         R"mlir(%r = tosa.depthwise_conv2d %x, %w, %b, %z, %v {acc_type = !acc, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x3x3x2x!e>, tensor<2x2x2x1x!e>, tensor<2x!acc>, tensor<1x!e>, tensor<1x!e>) -> tensor<1x2x2x2x!acc>)mlir"},
        {"%x: tensor<1x3x3x2x!e>, %w: tensor<2x2x2x1xi8>, %b: tensor<2x!acc>, "
         "%z: tensor<1x!e>, %v: tensor<1xi8>",
         R"mlir(%r = tosa.depthwise_conv2d %x, %w, %b, %z, %v {acc_type = !acc, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x3x3x2x!e>, tensor<2x2x2x1xi8>, tensor<2x!acc>, tensor<1x!e>, tensor<1xi8>) -> tensor<1x2x2x2x!acc>)mlir"},
        {"%x: tensor<1x2x2x2x!e>, %w: tensor<3x2x2x2x!e>, %b: tensor<3x!acc>, "
         "%z: tensor<1x!e>",
         R"mlir(%r = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = !acc, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x2x2x!e>, tensor<3x2x2x2x!e>, tensor<3x!acc>, tensor<1x!e>, tensor<1x!e>) -> tensor<1x3x3x3x!acc>)mlir"},
        {"%x: tensor<1x32x!e>, %s: tensor<1x1x!acc>",
         R"mlir(%r = tosa.cast_from_block_scaled %x, %s {block_size = #tosa.block_size<BLOCK_SIZE_32>} : (tensor<1x32x!e>, tensor<1x1x!acc>) -> tensor<1x32xf32>)mlir"},
        {"%x: tensor<1x2x32x!e>, %s: tensor<1x2x1x!acc>",
         R"mlir(%r = tosa.matmul_t_block_scaled %x, %s, %x, %s {block_size = #tosa.block_size<BLOCK_SIZE_32>} : (tensor<1x2x32x!e>, tensor<1x2x1x!acc>, tensor<1x2x32x!e>, tensor<1x2x1x!acc>) -> tensor<1x2x2xf32>)mlir"},
        {"%x: tensor<2x3x!e>",
         R"mlir(%r = tosa.dim %x {axis = 1 : i32} : (tensor<2x3x!e>) -> !tosa.shape<1>)mlir"},
        {"",
         R"mlir(%s = tosa.const_shape {values = dense<[4, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %r = tosa.add_shape %s, %s : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>)mlir"},
        {"",
         R"mlir(%s = tosa.const_shape {values = dense<[4, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %r = tosa.sub_shape %s, %s : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>)mlir"},
        {"",
         R"mlir(%s = tosa.const_shape {values = dense<[4, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %r = tosa.mul_shape %s, %s : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>)mlir"},
        {"",
         R"mlir(%s = tosa.const_shape {values = dense<[4, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %r = tosa.mod_shape %s, %s : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>)mlir"},
        {"",
         R"mlir(%s = tosa.const_shape {values = dense<[4, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %r = tosa.min_shape %s, %s : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>)mlir"},
        {"",
         R"mlir(%s = tosa.const_shape {values = dense<[4, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %r = tosa.max_shape %s, %s : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>)mlir"},
        {"",
         R"mlir(%s = tosa.const_shape {values = dense<[4, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %r = tosa.div_floor_shape %s, %s : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>)mlir"},
        {"",
         R"mlir(%s = tosa.const_shape {values = dense<[4, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %r = tosa.div_ceil_shape %s, %s : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>)mlir"},
        {"",
         R"mlir(%s = tosa.const_shape {values = dense<[4, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %r = tosa.exp2_shape %s : (!tosa.shape<2>) -> !tosa.shape<2>)mlir"},
        {"",
         R"mlir(%s = tosa.const_shape {values = dense<[4, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %r = tosa.log2_floor_shape %s : (!tosa.shape<2>) -> !tosa.shape<2>)mlir"},
        {"",
         R"mlir(%s = tosa.const_shape {values = dense<[4, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %r = tosa.log2_ceil_shape %s : (!tosa.shape<2>) -> !tosa.shape<2>)mlir"},
        {"",
         R"mlir(%s = tosa.const_shape {values = dense<[4, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %r = tosa.concat_shape %s, %s : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<4>)mlir"},
        {"%i: tensor<1xi32>",
         R"mlir(%s = tosa.const_shape {values = dense<[4, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %n = "tosa.const"() <{values = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
      %r = tosa.slice_shape %s, %i, %n : (!tosa.shape<2>, tensor<1xi32>, tensor<1xi32>) -> !tosa.shape<1>)mlir"},
        {"%c: tensor<i1>, %x: tensor<2x!e>",
         R"mlir(%r = tosa.cond_if %c (%y = %x) : tensor<i1> (tensor<2x!e>) -> tensor<2x!e> {
    ^bb0(%y: tensor<2x!e>):
      tosa.yield %y : tensor<2x!e>
    } else {
    ^bb0(%y: tensor<2x!e>):
      tosa.yield %y : tensor<2x!e>
    })mlir"},
        {"%x: tensor<!e>",
         R"mlir(%r = tosa.while_loop (%y = %x) : (tensor<!e>) -> tensor<!e> {
      %c = tosa.greater %y, %y : (tensor<!e>, tensor<!e>) -> tensor<i1>
      tosa.yield %c : tensor<i1>
    } do {
    ^bb0(%y: tensor<!e>):
      tosa.yield %y : tensor<!e>
    })mlir"},
};

#endif // ONNXFOLD_TESTS_UPSTREAM_TOTALITYFORMS_H
