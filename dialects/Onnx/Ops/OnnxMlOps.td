// The operators of ai.onnx.ml that the import cannot lower to arithmetic with constants.
#ifndef CAMEO_DIALECTS_ONNX_ONNXMLOPS_TD
#define CAMEO_DIALECTS_ONNX_ONNXMLOPS_TD

include "dialects/Onnx/OnnxBase.td"

def Onnx_TreeTensor : Onnx_TensorOf<[F16, F32, F64]>;

def Onnx_TreeEnsembleOp : Onnx_Op<"TreeEnsemble", 5, [8, 8], [1, 1]> {
  let summary = "Combined values of the leaves that decision trees select for each row";
  let description = [{
    The trees are tables. Node i compares `X[row, features[i]] <= splits[i]`; next is node `true_nodes[i]` or `false_nodes[i]`,
    which is leaf `next - n` if it is at least the number n of nodes. NaN goes to the true side if
    `missing_true` is set. Roots may be leaves. After `depth` comparisons every tree is at a leaf; the results are the leaves' rows of
    `leaf_values` combined by `aggregate_function`: 0 average, 1 sum, 2 least, 3 greatest. If a leaf has no value for a target, its row has 0, or
    an infinity for least and greatest; targets without a value in any leaf give 0.

    - treeensemble_c1: X has rank 2.
    - treeensemble_c2: the tables of nodes are vectors of one length.
    - treeensemble_c3: roots are a vector, leaf_values have rank 2.
    - treeensemble_c4: `depth` is 0 or more.
    - treeensemble_c5: `aggregate_function` is 0 to 3.
  }];
  let arguments = (ins Onnx_TreeTensor:$X, Onnx_I32Tensor:$features, Onnx_TreeTensor:$splits, Onnx_I32Tensor:$true_nodes,
                       Onnx_I32Tensor:$false_nodes, Onnx_Optional<Onnx_BoolTensor>:$missing_true, Onnx_I32Tensor:$roots,
                       Onnx_TreeTensor:$leaf_values, Onnx_Int:$depth, Onnx_IntOr<1>:$aggregate_function);
  let results = (outs Onnx_Tensor:$Y);
}

#endif // CAMEO_DIALECTS_ONNX_ONNXMLOPS_TD
