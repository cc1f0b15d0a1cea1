// Interpolation and sampling of images, and Col2Im.
#ifndef CAMEO_DIALECTS_ONNX_ONNXIMAGEOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXIMAGEOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_CoordinateMode : Onnx_EnumOr<["half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
                                       "asymmetric", "tf_crop_and_resize"], "half_pixel">;
def Onnx_NearestMode : Onnx_EnumOr<["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"], "round_prefer_floor">;

def Onnx_ResizeOp : Onnx_Op<"Resize", 19, [1, 4], [1, 1], [ChannelsLastOp]> {
  let summary = "Interpolation to another size";
  let description = [{
    `axes`, scales, sizes and roi number dimensions in ONNX's order also if the layout is `channels_last`. An operand
    without elements counts as absent.

    - resize_c1: X has rank 1 or more.
    - resize_c2: either scales or sizes.
    - resize_c3: `axes` are distinct dimensions of X.
    - resize_c4: one scale or size per axis.
    - resize_c5: scales are above 0.
    - resize_c6: sizes are in [0, 2^31).
    - resize_c7: if the result has elements, the image has elements.
  }];
  let arguments = (ins Onnx_Tensor:$X, Onnx_Optional<Onnx_TensorOf<[F16, F32, F64]>>:$roi,
                       Onnx_Optional<Onnx_F32Tensor>:$scales, Onnx_Optional<Onnx_I64Tensor>:$sizes,
                       Onnx_IntOr<0>:$antialias, OptionalAttr<Onnx_Ints>:$axes,
                       Onnx_CoordinateMode:$coordinate_transformation_mode,
                       Onnx_FloatOr<"-0.75f">:$cubic_coeff_a, Onnx_IntOr<0>:$exclude_outside,
                       Onnx_FloatOr<"0.0f">:$extrapolation_value,
                       Onnx_EnumOr<["stretch", "not_larger", "not_smaller"], "stretch">:$keep_aspect_ratio_policy,
                       Onnx_EnumOr<["nearest", "linear", "cubic"], "nearest">:$mode,
                       Onnx_NearestMode:$nearest_mode,
                       UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_GridSampleOp : Onnx_Op<"GridSample", 22, [2, 2], [1, 1], [ChannelsLastOp]> {
  let summary = "Interpolation at given places";
  let description = [{
    The grid is batch, spatial..., coordinates also if the layout is `channels_last`.

    - gridsample_c1: X has rank 3 or more.
    - gridsample_c2: grid has the rank of X.
    - gridsample_c3: its last dimension has a coordinate per spatial axis.
    - gridsample_c4: batches are equal.
    - gridsample_c5: if the result has elements, the image has elements.
  }];
  let arguments = (ins Onnx_Tensor:$X, Onnx_FloatTensor:$grid, Onnx_IntOr<0>:$align_corners,
                       Onnx_EnumOr<["linear", "nearest", "cubic"], "linear">:$mode,
                       Onnx_EnumOr<["zeros", "border", "reflection"], "zeros">:$padding_mode,
                       UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_RoiAlignOp : Onnx_Op<"RoiAlign", 22, [3, 3], [1, 1], [ChannelsLastOp]> {
  let summary = "Regions of images, sampled on a grid of bins";
  let description = [{
    - roialign_c1: X has rank 4.
    - roialign_c2: rois have rank 2, with.
    - roialign_c3: 4 coordinates.
    - roialign_c4: there is one batch index per region.
    - roialign_c5: the result is of 1 or more rows and columns.
    - roialign_c6: `sampling_ratio` is 0 or more.
    - roialign_c7: if there are regions, the images have elements.
  }];
  let arguments = (ins Onnx_FloatTensor:$X, Onnx_FloatTensor:$rois, Onnx_I64Tensor:$batch_indices,
                       Onnx_EnumOr<["half_pixel", "output_half_pixel"], "half_pixel">:$coordinate_transformation_mode,
                       Onnx_EnumOr<["avg", "max"], "avg">:$mode, Onnx_IntOr<1>:$output_height,
                       Onnx_IntOr<1>:$output_width, Onnx_IntOr<0>:$sampling_ratio, Onnx_FloatOr<"1.0f">:$spatial_scale,
                       UnitAttr:$channels_last);
  let results = (outs Onnx_Tensor:$Y);
}

def Onnx_AffineGridOp : Onnx_Op<"AffineGrid", 20, [2, 2], [1, 1]> {
  let summary = "The grid of an affine map of the elements of an image, as an operand of GridSample";
  let description = [{
    - affinegrid_c1: theta has rank 3; size has 4 elements for images of two dimensions, 5 for three.
    - affinegrid_c2: matrices are 2 x 3 or 3 x 4, according to the size.
    - affinegrid_c3: the first size is the batch of theta.
    - affinegrid_c4: sizes are 0 or more.
  }];
  let arguments = (ins Onnx_FloatTensor:$theta, Onnx_I64Tensor:$size, Onnx_IntOr<0>:$align_corners);
  let results = (outs Onnx_Tensor:$grid);
}

def Onnx_Col2ImOp : Onnx_Op<"Col2Im", 18, [3, 3], [1, 1]> {
  let summary = "Sum of overlapping blocks, the columns of the input, at their positions in an image";
  let description = [{
    - col2im_c1: input has rank 3; image_shape and block_shape are vectors of equally many elements, 1 or more.
    - col2im_c2: sizes are 1 or more.
    - col2im_c3: the second dimension of input is a multiple of the elements of a block.
    - col2im_c4, col2im_c5: `strides` and `dilations` have one value of 1 or more per spatial axis.
    - col2im_c6: `pads` has two values of 0 or more per spatial axis.
    - col2im_c7: there are as many columns as positions of a block.
  }];
  let arguments = (ins Onnx_Tensor:$input, Onnx_I64Tensor:$image_shape, Onnx_I64Tensor:$block_shape,
                       OptionalAttr<Onnx_Ints>:$dilations, OptionalAttr<Onnx_Ints>:$pads, OptionalAttr<Onnx_Ints>:$strides);
  let results = (outs Onnx_Tensor:$output);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXIMAGEOPS_TD
