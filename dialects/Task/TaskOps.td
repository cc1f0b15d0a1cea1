// Task definitions, calls of tasks, and their buffer form. A task is the unit of search and code generation.
#ifndef CAMEO_DIALECTS_TASK_TASKOPS_TD
#define CAMEO_DIALECTS_TASK_TASKOPS_TD

include "dialects/Task/TaskBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Task_PackingAttr : AttrDef<Task_Dialect, "Packing"> {
  let mnemonic = "packing";
  let summary = "The layout into which a constant is packed at compile time";
  let description = [{
    The packed buffer has `elements` elements, initially zero. Then each nest copies, for every i below `sizes`,
    `physical[target + sum(i * targetStrides)] = logical[source + sum(i * sourceStrides)]`. The logical tensor is
    row-major. The text of a nest is `[target, source, [sizes], [target strides], [source strides]]`, with three lists
    of the same rank (packing_c1). Sizes are at least 1 (packing_c2), and no nest writes outside of the physical buffer
    (packing_c3) or reads before the begin of the logical one (packing_c4).

    A nest can also transform. After the strides, `[dimension, denominator, [row], [row], ...]` is a matrix of rational
    numbers with one row per index along that dimension (packing_c5). All rows have the same length (packing_c6), each
    dimension has at most one matrix (packing_c7), and the denominator is positive (packing_c8). Each stored element is
    the product of a row of the matrix and as many logical elements, which are the dimension's source stride apart,
    computed in double. The constant is of type f16, bf16 or f32 (call_c7), and all elements that are stored are f32.

    `nests` is stored flat: target, source, rank, sizes and strides of one nest, the number of its matrices, and
    dimension, columns, denominator and entries of each matrix; then the next nest.

    Example: a 4x2 matrix in columns, `#task.packing<elements = 8, nests = [[0, 0, [2, 4], [4, 1], [1, 2]]]>`.
  }];
  let parameters = (ins "int64_t":$elements, ArrayRefParameter<"int64_t">:$nests);
  let assemblyFormat = "`<` `elements` `=` $elements `,` `nests` `=` custom<Nests>($nests) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    struct Matrix {
      int64_t dim, columns, denominator;
      ::llvm::ArrayRef<int64_t> entries; ///< row-major
    };
    struct Nest {
      int64_t target, source;
      ::llvm::ArrayRef<int64_t> sizes, targetStrides, sourceStrides;
      ::llvm::SmallVector<Matrix, 2> matrices;

      /// Returns the number of logical elements that are read along each dimension.
      ::llvm::SmallVector<int64_t> getSourceSizes() const;
    };
    ::llvm::SmallVector<Nest> getNestList() const;
    /// Returns the largest logical index that is read, plus one.
    int64_t getSourceElements() const;
    bool hasMatrices() const;
  }];
}

def Task_BlockAttr : AttrDef<Task_Dialect, "Block"> {
  let mnemonic = "block";
  let summary = "The number of threads of a block that runs a GPU kernel";
  let description = [{
    The attribute `task.block` of a kernel whose dispatches run one block of threads per iteration of their extent. The
    kernel takes its buffers and the number of the block. `threads` is at least 1 and at most 1024 (block_c1). Each
    `cluster` blocks with consecutive numbers, from a multiple of it on, are a cluster: at least 1 and at most 8
    (block_c2).

    Examples: `#task.block<threads = 128>`, `#task.block<threads = 128, cluster = 4>`.
  }];
  let parameters = (ins "int64_t":$threads, DefaultValuedParameter<"int64_t", "1">:$cluster);
  let assemblyFormat = "`<` `threads` `=` $threads (`,` `cluster` `=` $cluster^)? `>`";
  let builders = [AttrBuilder<(ins "int64_t":$threads), [{ return $_get($_ctxt, threads, 1); }]>];
  let genVerifyDecl = 1;
}

def Task_DefOp : Task_Op<"def", [Symbol, IsolatedFromAbove, FunctionOpInterface]> {
  let summary = "Defines a task";
  let description = [{
    The body holds onnx operations after partition, and linalg on tensors after lowering. In buffer form the task takes
    its inputs and then its outputs as one-dimensional memrefs, returns nothing, and holds only `task.scratch`,
    `task.dispatch` and `task.extern_call` (def_c1). Its inputs may have two attributes (def_c2): `task.packing`, the
    layout in which a constant is read, and `task.inplace`, the number of the output that may share the input's buffer.
    `task.elements` is the expression of a buffer's size, and is present exactly if the type does not state the size
    (def_c5).

    The body ends in a `task.return` (def_c3) of the definition's result types (def_c4). Between lowering and buffer
    form the tensor types have no encoding, and `task.dims` on an argument or result, an `#onnx.dims`, holds one
    expression per dimension, "" if the type states the size (def_c6).

    Example:
    ```mlir
    task.def @relu(%x: tensor<4xf32>) -> tensor<4xf32> attributes {key = "ab12"} {
      task.return %x : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                   OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>];
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    /// Whether the arguments are buffers.
    bool isBufferForm();
    /// Attributes of an argument in buffer form.
    PackingAttr getPacking(unsigned argument);
    std::optional<unsigned> getInplaceResult(unsigned argument);
    ::cameo::DimExprAttr getElements(unsigned argument);
  }];
}

def Task_ReturnOp : Task_Op<"return", [Pure, ReturnLike, Terminator, HasParent<"DefOp">]> {
  let summary = "Ends a task definition";
  let description = "Example: `task.return %y : tensor<4xf32>`";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Task_CallOp : Task_Op<"call", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Calls a task on tensors";
  let description = [{
    The callee is a `task.def` (call_c1) of these types, regardless of the names of dimensions (call_c2). In buffer form
    it has as many buffers, each of the size of its tensor (call_c3). An input with `task.packing` is a constant
    (call_c4) that has all elements which the packing reads (call_c5), of type f16, bf16 or f32 if the packing has
    matrices (call_c7). `task.inplace` is the number of a result (call_c6).

    Example: `%y = task.call @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>`
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = "$callee `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)";
}

def Task_ViewOp : Task_Op<"view", [Pure]> {
  let summary = "Reshapes a tensor, with its elements in row-major order";
  let description = [{
    This costs nothing, because operand and result are one buffer. Element type (view_c1) and number of elements
    (view_c2) are those of the operand.

    Example: `%y = task.view %x : tensor<2x3xf32> -> tensor<6xf32>`
  }];
  let arguments = (ins AnyRankedTensor:$input);
  let results = (outs AnyRankedTensor:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
  let hasVerifier = 1;
}

def Task_PlaceOp : Task_Op<"place", [Pure]> {
  let summary = "Extends a tensor to a larger one whose other elements are undefined";
  let description = [{
    In the body of a task, this states where the result is written. The other elements of the larger tensor are not
    written, so they keep what other tasks store there. Element type and rank are the same, and no dimension is smaller
    (place_c1). Dynamic dimensions are equal (place_c2).

    Example: `%y = task.place %x : tensor<1x8x8x64xf32> -> tensor<1x8x8x96xf32>`
  }];
  let arguments = (ins AnyRankedTensor:$part);
  let results = (outs AnyRankedTensor:$whole);
  let assemblyFormat = "$part attr-dict `:` type($part) `->` type($whole)";
  let hasVerifier = 1;
}

def Task_JoinOp : Task_Op<"join", [Pure, SameOperandsAndResultType]> {
  let summary = "Joins the parts of a tensor that several tasks have written";
  let description = [{
    This costs nothing, because all parts and the result are one buffer. Operand i, the result of a task that ends in
    `task.place`, begins `offsets[i]` elements after the begin of the buffer. There is at least one operand, with an
    offset for each (join_c1). The offset is inside of the tensor, or of the known dimensions behind its last dynamic one
    (join_c2).

    Example: `%z = task.join %x, %y offsets [0, 64] : tensor<1x8x8x96xf32>`
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$parts, DenseI64ArrayAttr:$offsets);
  let results = (outs AnyRankedTensor:$whole);
  let assemblyFormat = "$parts `offsets` $offsets attr-dict `:` type($whole)";
  let hasVerifier = 1;
}

def Task_UpdateOp : Task_Op<"update", [Pure]> {
  let summary = "Replaces rows of a cache of the caller";
  let description = [{
    The result is `past` with `rows` written along `axis`, from the position in `places` of each batch entry on. Rows
    outside of the tensor are skipped. The caller may pass the memory of `past` for the result, and the run then only
    writes the rows. `past` is an argument of @main without other uses, and the result is an output (both are checked
    when memory is planned). All three tensors have the same element type and rank (update_c1), and `axis` is not the
    first dimension (update_c2).

    Example:
    `%y = task.update %x, %r at %p axis 2 : tensor<1x4x64x8xf32>, tensor<1x4x1x8xf32>, tensor<1xi64> -> tensor<1x4x64x8xf32>`
  }];
  let arguments = (ins AnyRankedTensor:$past, AnyRankedTensor:$rows, 1DTensorOf<[I64]>:$places, I64Attr:$axis);
  let results = (outs AnyRankedTensor:$present);
  let assemblyFormat = [{
    $past `,` $rows `at` $places `axis` $axis attr-dict `:` type($past) `,` type($rows) `,` type($places) `->` type($present)
  }];
  let hasVerifier = 1;
}

def Task_PrefixOp : Task_Op<"prefix", [Pure]> {
  let summary = "Takes the first slices of a tensor, as many as a task has counted";
  let description = [{
    This costs nothing, because operand and result are one buffer. The first dimension of the result is a symbol
    (prefix_c1) whose value is `count` from here on. It is between 0 and the first dimension of the input. Element type
    and the other dimensions are those of the input (prefix_c2).

    Example: `%y = task.prefix %x, %n : tensor<6x3xi64>, tensor<i64> -> tensor<?x3xi64, #onnx.dims<["boxes", ""]>>`
  }];
  let arguments = (ins AnyRankedTensor:$input, 0DTensorOf<[I64]>:$count);
  let results = (outs AnyRankedTensor:$output);
  let assemblyFormat = "$input `,` $count attr-dict `:` type($input) `,` type($count) `->` type($output)";
  let hasVerifier = 1;
}

def Task_ChooseOp : Task_Op<"choose", [Pure]> {
  let summary = "Chooses one of two tensors by a condition that is known at run time";
  let description = [{
    Operations that only the other tensor needs are not executed. Dimensions in which the two tensors differ are symbols
    in the result, whose values are set by `counts`, results of `task.prefix`. Element types (choose_c1) and ranks
    (choose_c2) are the same, and so are dimensions that are static in both (choose_c3).

    Example: `%z = task.choose %c, %x, %y counts() : tensor<i1>, tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>`
  }];
  let arguments = (ins 0DTensorOf<[I1]>:$condition, AnyRankedTensor:$when_true, AnyRankedTensor:$when_false, Variadic<AnyRankedTensor>:$counts);
  let results = (outs AnyRankedTensor:$chosen);
  let assemblyFormat = [{
    $condition `,` $when_true `,` $when_false `counts` `(` ($counts^ `:` type($counts))? `)` attr-dict `:`
    type($condition) `,` type($when_true) `,` type($when_false) `->` type($chosen)
  }];
  let hasVerifier = 1;
}

def Task_IfOp : Task_Op<"if", [MemoryEffects<[MemRead, MemWrite]>, SingleBlock, NoTerminator]> {
  let summary = "Executes its body if a flag is set";
  let description = [{
    Memory planning creates this around the steps that only one operand of a `task.choose` needs. With `not`, the body
    is executed if the flag is not set.

    Example: `task.if not %c { ... }`
  }];
  let arguments = (ins Task_Flag:$condition, UnitAttr:$negated);
  let regions = (region SizedRegion<1>:$steps);
  let assemblyFormat = "(`not` $negated^)? $condition attr-dict-with-keyword $steps";
}

def Task_BindOp : Task_Op<"bind", [MemoryEffects<[MemRead]>]> {
  let summary = "Sets a symbolic size to the value that a task has counted";
  let description = [{
    Memory planning converts `task.prefix` to this operation. From here on the size `name` is known (bind_c1). A count
    that is not between 0 and `max`, a number or an expression (bind_c2), ends the run. `if` lists flags and the values
    that they must have (bind_c3); otherwise nothing has been counted, and the size is 0.

    Example: `task.bind "boxes", %n max 6 if (%c) is [true] : memref<1xi64>`
  }];
  let arguments = (ins StrAttr:$name, Task_Buffer:$count, Dim_SizeAttr:$max, Variadic<Task_Flag>:$conditions,
                   DefaultValuedAttr<DenseBoolArrayAttr, "{}">:$values);
  let assemblyFormat = [{
    $name `,` $count `max` custom<Size>($max) (`if` `(` $conditions^ `)` `is` $values)? attr-dict `:` type($count)
  }];
  let hasVerifier = 1;
}

def Task_SizeOp : Task_Op<"size", [Pure]> {
  let summary = "The value of a dynamic size in the current run";
  let description = [{
    It occurs in definitions after lowering, and in kernels.

    Example: `%n = task.size "batch*seq"`
  }];
  let arguments = (ins Dim_ExprAttr:$expression);
  let results = (outs Index:$size);
  let assemblyFormat = "custom<Expr>($expression) attr-dict";
}

def Task_ScratchOp : Task_Op<"scratch", [HasParent<"DefOp">]> {
  let summary = "Allocates arena memory for one execution of the task";
  let description = [{
    The contents are undefined at first. `elements` is the expression of a size that the type does not state
    (scratch_c1).

    Example: `%s = task.scratch : memref<64xf32>`, `%t = task.scratch elements "8*batch" : memref<?xf32>`
  }];
  let arguments = (ins OptionalAttr<Dim_ExprAttr>:$elements);
  let results = (outs Res<Task_Buffer, "", [MemAlloc]>:$memory);
  let assemblyFormat = "custom<Elements>($elements) attr-dict `:` type($memory)";
  let hasVerifier = 1;
}

def Task_DispatchOp : Task_Op<"dispatch", [MemoryEffects<[MemRead, MemWrite]>,
                                           DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs a kernel over a parallel range";
  let description = [{
    The kernel is a function (dispatch_c1) that takes the buffers and then begin and end of a part of [0, extent), or,
    with `task.block`, the number of a block below the extent (dispatch_c2). The extent is a number, or the expression
    of a dynamic size (dispatch_c3). Where blocks form clusters it is a number that these divide (dispatch_c4).

    Example: `task.dispatch @relu.k0(%x, %y) extent 16 : memref<4xf32>, memref<4xf32>`,
    `task.dispatch @relu.k0(%x, %y) extent "4*batch" : memref<?xf32>, memref<?xf32>`
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<Task_Buffer>:$buffers,
                   Dim_SizeAttr:$extent, OptionalAttr<I64Attr>:$task_index);
  let assemblyFormat = "$kernel `(` $buffers `)` `extent` custom<Size>($extent) attr-dict (`:` type($buffers)^)?";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$kernel, "::mlir::ValueRange":$buffers, "int64_t":$extent)>];
}

def Task_CopyOp : Task_Op<"copy", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Copies all bytes of one buffer to another";
  let description = [{
    Both buffers have the same size, as far as their types state it (copy_c1). With an `iteration`, the target holds one
    slice of the source's size per iteration, and the slice of this iteration is written. With `unless_same`, source and
    target may be the same buffer, and then nothing is copied.

    Example: `task.copy %a, %b : memref<4xf32>, memref<4xf32>`, `task.copy %a, %c at %i : memref<4xf32>, memref<20xf32>`
  }];
  let arguments = (ins Task_Buffer:$source, Task_Buffer:$target, Optional<Task_Counter>:$iteration, UnitAttr:$unless_same);
  let assemblyFormat = "$source `,` $target (`at` $iteration^)? (`unless_same` $unless_same^)? attr-dict `:` type($source) `,` type($target)";
  let hasVerifier = 1;
}

def Task_WriteRowsOp : Task_Op<"write_rows", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Writes rows into a cache, from a position per batch entry on";
  let description = [{
    Memory planning converts `task.update` to a copy of the cache and this operation. `extents` are the numbers of batch
    entries, of slices per entry, of rows per slice in the target and in the source, and of elements per row. They are
    numbers or expressions (write_rows_c1). Rows outside of the target are skipped.

    Example: `task.write_rows %r, %x at %p extents [1, 4, 64, 1, 8] : memref<32xf32>, memref<2048xf32>, memref<1xi64>`
  }];
  let arguments = (ins Task_Buffer:$source, Task_Buffer:$target, Task_Buffer:$places, ArrayAttr:$extents);
  let assemblyFormat = [{
    $source `,` $target `at` $places `extents` $extents attr-dict `:` type($source) `,` type($target) `,` type($places)
  }];
  let hasVerifier = 1;
}

def Task_LoopOp : Task_Op<"loop", [Pure, AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Calls a function of the module in a loop whose trip count is known only at run time";
  let description = [{
    The body is a function with the attribute `task.body` (loop_c1). Its arguments are the number of the iteration, the
    carried values, and the values that all iterations read. It returns the carried values of the next iteration and one
    slice for each further result (loop_c2). With `conditional` the first carried value is a boolean, whether there is a
    next iteration (loop_c3); without it, `trip_count` is required (loop_c4). The results are the number of iterations, the
    last carried values, and tensors of stacked slices with room for `max_trip_count` iterations, which is required if there are
    such tensors (loop_c5). A run with more iterations fails.

    Example:
    ```mlir
    %n, %sum, %parts = task.loop @body trip_count(%m) carries(%zero) reads(%x) {max_trip_count = 8 : i64}
        : (tensor<i64>, tensor<f32>, tensor<4xf32>) -> (tensor<i64>, tensor<f32>, tensor<8xf32>)
    func.func private @body(%i: tensor<i64>, %sum: tensor<f32>, %x: tensor<4xf32>) -> (tensor<f32>, tensor<f32>)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$body, Optional<0DTensorOf<[I64]>>:$trip_count, Variadic<AnyType>:$carried,
                   Variadic<AnyType>:$captured, UnitAttr:$conditional, OptionalAttr<Dim_SizeAttr>:$max_trip_count);
  let results = (outs 0DTensorOf<[I64]>:$count, Variadic<AnyType>:$values);
  let assemblyFormat = [{
    $body (`trip_count` `(` $trip_count^ `)`)? `carries` `(` $carried `)` `reads` `(` $captured `)` attr-dict `:`
    functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    /// Returns the values of the last iteration, and the stacked slices of all iterations.
    ::mlir::ResultRange getLast() { return getValues().take_front(getCarried().size()); }
    ::mlir::ResultRange getStacked() { return getValues().drop_front(getCarried().size()); }
  }];
}

def Task_RepeatOp : Task_Op<"repeat", [MemoryEffects<[MemRead, MemWrite]>, AttrSizedOperandSegments, SingleBlock, NoTerminator]> {
  let summary = "Executes its body in a loop";
  let description = [{
    Memory planning converts `task.loop` to this operation. `iteration` is 0 in the first iteration, is incremented after
    each, and finally holds the number of iterations. There is a next iteration while it is below `trip_count` and
    `condition` is not zero; at least one of the two is present (repeat_c1). An iteration beyond `max_trip_count`, a number or an
    expression (repeat_c2), ends the run.

    Example: `task.repeat %i trip_count %m while %c attributes {max_trip_count = 8 : i64} { ... }`
  }];
  let arguments = (ins Task_Counter:$iteration, Optional<Task_Counter>:$trip_count, Optional<Task_Flag>:$condition,
                   OptionalAttr<Dim_SizeAttr>:$max_trip_count);
  let regions = (region SizedRegion<1>:$steps);
  let assemblyFormat = "$iteration (`trip_count` $trip_count^)? (`while` $condition^)? attr-dict-with-keyword $steps";
  let hasVerifier = 1;
}

def Task_WeightOp : Task_Op<"weight"> {
  let summary = "A constant with its offset in the weights section";
  let description = [{
    `offset` is a multiple of 64 (weight_c1). `bytes` is the size of the constant, or of its packing (weight_c2), which
    does not read beyond the end of the constant (weight_c3) and has matrices only for f16, bf16 and f32 (weight_c4).

    Example: `task.weight {value = dense<1.0> : tensor<4xf32>, offset = 64 : i64, bytes = 16 : i64}`
  }];
  let arguments = (ins ElementsAttr:$value, I64Attr:$offset, I64Attr:$bytes,
                   OptionalAttr<Task_PackingAttr>:$packing);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Task_InfoOp : Task_Op<"info"> {
  let summary = "Describes a task for profilers, in the order of first execution";
  let description = [{
    `schedule` is a short text for users; a task without it consists of plain loops. `flops` and `bytes` are those of
    one execution, and negative if they are known only at run time.

    Example:
    `task.info {index = 0 : i64, name = "Conv_0", key = "ab12", flops = 8.0, bytes = 64.0, schedule = "1 piece; scalar"}`
  }];
  let arguments = (ins I64Attr:$index, StrAttr:$name, StrAttr:$key, F64Attr:$flops, F64Attr:$bytes,
                   OptionalAttr<StrAttr>:$schedule);
  let assemblyFormat = "attr-dict";
}

#endif
