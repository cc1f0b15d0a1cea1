// The operations of the loop dialect.
#ifndef CAMEO_DIALECTS_LOOP_LOOPOPS_TD
#define CAMEO_DIALECTS_LOOP_LOOPOPS_TD

include "dialects/Loop/LoopAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Loop_Op<string mnemonic, list<Trait> traits = []> : Op<Loop_Dialect, mnemonic, traits>;

def Loop_Buffer : Type<MemRefRankOf<[AnyType], [1]>.predicate, "one-dimensional memref", "::mlir::MemRefType">;

def Loop_ProgramOp : Loop_Op<"program", [Pure, SingleBlock, NoTerminator]> {
  let summary = "Computes tensors by loop nests over buffers";
  let description = [{
    The body has `loop.buffer` operations (program_c1), one for each input that is read and one for each output (program_c2), followed by `loop.group`s, which
    run in order. Steps of a schedule refer to buffers by their numbers, in order.

    Example:
    ```mlir
    %y = loop.program(%x) : (tensor<4xf32>) -> tensor<4xf32> {
      %in0 = loop.buffer argument 0 : memref<4xf32>
      %out0 = loop.buffer result 0 : memref<4xf32>
      loop.group {
        loop.nest "nest0" (%d0: 4) {
          %v = loop.load %in0[%d0] : memref<4xf32>
          %m = arith.negf %v : f32
          loop.store %m, %out0[%d0] : memref<4xf32>
        }
      }
    }
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs) $body";
  let hasRegionVerifier = 1;
}

def Loop_BufferOp : Loop_Op<"buffer", [HasParent<"ProgramOp">, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "A dense array of elements";
  let description = [{
    An `argument` or `result` with the number of the program's input or output (buffer_c1), a `temporary` in a memory space (buffer_c2), or a `table` of
    constants with as many elements as the type (buffer_c3). `elements` is the expression of a size that the type does not state (buffer_c4). A `packable`
    argument is a constant in every use of the program, so it may be packed: then `task.packing` has its layout, all loads read that layout, and the type has
    the number of packed elements. A temporary that is `per_row` has one instance per row of its group, in the arena or on the stack, which it does not share
    with other buffers (buffer_c5).

    Examples: `%in1 = loop.buffer argument 1 packable : memref<64xf32>`, `%row3 = loop.buffer temporary per_row : memref<64xf32, #loop.space<stack>>`,
    `%table4 = loop.buffer table holds dense<[1, 2]> : tensor<2xi64> : memref<2xi64>`
  }];
  let arguments = (ins Loop_Role:$role, OptionalAttr<I64Attr>:$number, OptionalAttr<ElementsAttr>:$table, UnitAttr:$packable, UnitAttr:$per_row,
                   OptionalAttr<Dim_ExprAttr>:$elements);
  let results = (outs Loop_Buffer:$memory);
  let assemblyFormat = "$role ($number^)? (`holds` $table^)? (`packable` $packable^)? (`per_row` $per_row^)? custom<Elements>($elements) attr-dict `:` type($memory)";
  let hasVerifier = 1;
}

def Loop_GroupOp : Loop_Op<"group", [HasParent<"ProgramOp">, SingleBlock, NoTerminator]> {
  let summary = "Nests in one kernel";
  let description = [{
    A group has at least one nest (group_c1). With `rows` above 0 the nests have that many leading dimensions in common (group_c2), and all nests run for one
    row, a point of these dimensions, before the next row; buffers between them may be in memory of the thread. The last `ordered` of these dimensions, at most
    all (group_c3), run in order on one thread, and a row may read what earlier rows stored. Several nests without rows run one after the other on one thread.
    With `continues` the rows follow those of the previous group in one parallel range. With `shares_matrix` the points of the first dimension after the rows
    read a common matrix. With `shares_kernel` the group runs in the kernel of the previous group.

    Example: `loop.group rows 2 ordered 1 { ... }`
  }];
  let arguments = (ins DefaultValuedAttr<I64Attr, "0">:$rows, DefaultValuedAttr<I64Attr, "0">:$ordered, UnitAttr:$continues, UnitAttr:$shares_matrix, UnitAttr:$shares_kernel);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`rows` $rows^)? (`ordered` $ordered^)? (`continues` $continues^)? (`shares_matrix` $shares_matrix^)? (`shares_kernel` $shares_kernel^)? attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

def Loop_NestOp : Loop_Op<"nest", [HasParent<"GroupOp">, SingleBlock, NoTerminator, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "A perfect loop nest";
  let description = [{
    The body runs for each point of the parallel dimensions. A nest has at most 64 dimensions (nest_c1), each with an extent (nest_c2). At most one
    `loop.reduce` (nest_c3) iterates over the reduction dimensions, which have no uses outside of it (nest_c4), and at least one `loop.store` (nest_c5) stores
    results. The other operations are loads, index computations, and scalar operations without side effects and with one result (nest_c6). Addresses of static
    sizes are within their buffers (nest_c7). `order` has the loops of the nest, over its dimensions (nest_c8). Dimensions are used as indices of addresses
    only (nest_c9); `loop.index` returns them as values.

    Example: `loop.nest "nest0" (%d0: 64, %d1: "8*seq", %d2: reduce 16) { ... }`,
    `loop.nest "nest0" (%d0: 64) order <loops = [[0, 16]], parallel = 1> { ... }`
  }];
  let arguments = (ins StrAttr:$name, ArrayAttr:$extents, DenseBoolArrayAttr:$reductions, OptionalAttr<Loop_OrderAttr>:$order);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    unsigned getDimCount() { return getExtents().size(); }
  }];
}

// An operation with an address such as `[%d0 * 64 + %d1 + 5]`, which is linear in its indices: dimensions of the nest or
// computed values.
class Loop_AddressOp<string mnemonic, list<Trait> traits> : Loop_Op<mnemonic, traits # [ParentOneOf<["NestOp", "ReduceOp"]>]> {
  let extraClassDeclaration = [{
    /// Returns the stride of each index, a number or an expression.
    ::mlir::ArrayRef<::mlir::Attribute> getStrideList() { return getStrides().getValue(); }
  }];
  let hasVerifier = 1;
}

def Loop_LoadOp : Loop_AddressOp<"load", [MemoryEffects<[MemRead]>, TypesMatchWith<"value is of the element type", "buffer", "value",
                                                              "::llvm::cast<::mlir::MemRefType>($_self).getElementType()">]> {
  let summary = "Reads an element of a buffer";
  let description = [{
    The address is `offset` + the sum of the indices times their strides (address_c1). With `run` points share elements, with `transforms` elements are products
    with matrices, and with `packed` the buffer is packed; these attributes have an entry for each dimension (load_c1).

    Example: `%v = loop.load %in0[%d0 * 64 + %d2 + 5] : memref<4096xf32>`, `%g = loop.load %in1[%i * 8 + %d1] : memref<?xf32>`
  }];
  let arguments = (ins Loop_Buffer:$buffer, Variadic<Index>:$indices, ArrayAttr:$strides, Dim_SizeAttr:$offset, OptionalAttr<Loop_RunAttr>:$run,
                   OptionalAttr<TypedArrayAttrBase<Loop_TransformAttr, "transforms">>:$transforms, OptionalAttr<Loop_PackedAttr>:$packed);
  let results = (outs AnyType:$value);
  let assemblyFormat = "$buffer `` custom<Address>($indices, $strides, $offset) attr-dict `:` type($buffer)";
}

def Loop_StoreOp : Loop_AddressOp<"store", [MemoryEffects<[MemWrite]>, TypesMatchWith<"value is of the element type", "buffer", "value",
                                                              "::llvm::cast<::mlir::MemRefType>($_self).getElementType()">]> {
  let summary = "Writes an element of a buffer";
  let description = [{
    At most one index is a computed value; its stride must be a number (store_c1).

    Example: `loop.store %v, %out0[%d0 * 64 + %d2] : memref<4096xf32>`
  }];
  let arguments = (ins AnyType:$value, Loop_Buffer:$buffer, Variadic<Index>:$indices, ArrayAttr:$strides, Dim_SizeAttr:$offset);
  let assemblyFormat = "$value `,` $buffer `` custom<Address>($indices, $strides, $offset) attr-dict `:` type($buffer)";
}

def Loop_IndexOp : Loop_AddressOp<"index", [Pure]> {
  let summary = "A linear function of the dimensions as a value";
  let description = [{
    Its indices are dimensions of the nest (index_c1).

    Example: `%i = loop.index [%d0 * 2 + 1]`
  }];
  let arguments = (ins Variadic<Index>:$indices, ArrayAttr:$strides, Dim_SizeAttr:$offset);
  let results = (outs Index:$value);
  let assemblyFormat = "custom<Address>($indices, $strides, $offset) attr-dict";
}

def Loop_ReduceOp : Loop_Op<"reduce", [HasParent<"NestOp">, SingleBlock, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "Iterates over the reduction dimensions of the nest";
  let description = [{
    The arguments of the body are the running results, which start as `initial`; the yielded values are the next running results. All have the types of the
    results (reduce_c1).

    Example:
    ```mlir
    %sum = loop.reduce(%acc0 = %zero : f32) {
      %next = arith.addf %acc0, %product : f32
      loop.yield %next : f32
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$initial);
  let results = (outs Variadic<AnyType>:$values);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Loop_YieldOp : Loop_Op<"yield", [Pure, ReturnLike, Terminator, HasParent<"ReduceOp">]> {
  let summary = "Ends the body of a reduction";
  let description = "Example: `loop.yield %next : f32`";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif
