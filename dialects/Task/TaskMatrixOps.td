// Products of matrices in shared memory by the warps of a GPU kernel.
#ifndef CAMEO_DIALECTS_TASK_TASKMATRIXOPS_TD
#define CAMEO_DIALECTS_TASK_TASKMATRIXOPS_TD

include "dialects/Task/TaskBase.td"

def Task_MultiplyGroupOp : Task_Op<"multiply_group", [AllTypesMatch<["left", "right"]>]> {
  let summary = "Starts to add the product of two matrices in shared memory to the sums of four warps";
  let description = [{
    All threads of four warps that follow each other execute this together. Each has sums of f32, four for each 8
    columns of the product, as those of `mma.sync` of 16 x 8: so the product has 64 rows, and twice as many columns as a
    thread has sums, a multiple of 16 up to 256 (multiply_group_c1). It has 16 steps, of `element`, f16 or bf16
    (multiply_group_c2).

    A matrix is five numbers (multiply_group_c3): it begins that many bytes behind its address, which is a multiple of
    1024 bytes, or of 16 where rows have 16; it lies in rows of 16, 32, 64 or 128 bytes, eight of which are an atom, of 16
    only along the depth; further atoms along the points, or
    along the depth if rows lie along the points, are `stride` bytes apart; further ones along the rows are `leading`
    bytes apart; and the last number is 1 if rows lie along the points. Vectors of 16 bytes in an atom are permuted: the
    number of a vector in its row is combined by exclusive or with bits of its address, from the one of 128 on.

    The product is under way until the group of products that it is committed to was waited for: until then nobody
    writes to the matrices, and the results are operands of further products or of `task.await_products` only.

    Example:
    ```mlir
    %next:8 = task.multiply_group %left [0, 128, 1024, 0, 0], %right [0, 128, 1024, 8192, 1], %sums#0, ... of f16
              : !llvm.ptr<3>, f32, ...
    ```
  }];
  let arguments = (ins AnyType:$left, DenseI64ArrayAttr:$left_matrix, AnyType:$right, DenseI64ArrayAttr:$right_matrix,
                       Variadic<F32>:$sums, TypeAttr:$element);
  let results = (outs Variadic<F32>:$results);
  let assemblyFormat = [{
    $left $left_matrix `,` $right $right_matrix `,` $sums `of` $element attr-dict `:` type($left) `,` type($results)
  }];
  let hasVerifier = 1;
}

def Task_AwaitProductsOp : Task_Op<"await_products"> {
  let summary = "Waits for groups of products, and returns their sums";
  let description = [{
    All threads of four warps execute this together. At most `pending` groups of products, those that were committed
    last, are under way behind it. The sums are those of the last product, and there are some only if none is under way
    (await_products_c1).

    Example: `%sums:8 = task.await_products 0 of %next#0, ... : f32, ...`
  }];
  let arguments = (ins I64Attr:$pending, Variadic<F32>:$sums);
  let results = (outs Variadic<F32>:$results);
  let assemblyFormat = "$pending (`of` $sums^ `:` type($results))? attr-dict";
  let hasVerifier = 1;
}

#endif
