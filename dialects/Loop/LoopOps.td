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
    The body holds `loop.buffer` operations (program_c1), of which one is for each input that is read and each output (program_c2), and then `loop.group`s,
    which run in their order. Buffers are named by their numbers, in order, in steps of a schedule.

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
    An `argument` or `result` with the number of the program's input or output (buffer_c1), a `temporary` of a memory space (buffer_c2), or a `table` of
    constants with as many elements (buffer_c3). `elements` is the expression of a size that the type does not state (buffer_c4). A `packable` argument is a
    constant wherever the program is used: it may be laid out anew; then `task.packing` says how, all loads read
    the new layout, and the type has as many elements. Of a temporary `per_row` each row of its group has one of its own, in the arena or on the stack, where
    nothing else lies (buffer_c5).

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
  let summary = "Nests that one kernel runs";
  let description = [{
    With `rows` above 0 the nests, of which there is at least one (group_c1), share so many first dimensions (group_c2), and all run for one point of these
    before the next: what passes between them may lie in memory of the thread. The last `ordered` of these dimensions, at most all (group_c3), run in order on
    one thread, and may read what earlier rows left. Several nests without rows run one after the other on one thread. With `continues` the rows follow those
    of the group before in one parallel range. With `shares_matrix` points of the dimension behind the rows share a matrix of their row. With
    `shares_kernel` the kernel of the group before runs it, too.

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
    For each point of the parallel dimensions, at most 64 of all kinds (nest_c1) and each with an extent (nest_c2), the body runs: a `loop.reduce` at most
    (nest_c3) runs over the others, which nothing outside of it uses (nest_c4), and a `loop.store` at least (nest_c5) writes what was computed. Besides there
    are loads, index computations and scalar operations without side effects and with one result (nest_c6). Addresses of known sizes stay inside of their
    buffers (nest_c7). `order` has the loops that walk it, over dimensions that it has (nest_c8). Dimensions are indices of addresses and nothing else (nest_c9):
    as a number `loop.index` has them.

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

// `[%d0 * 64 + %d1 + 5]`: a place that is linear in its indices, which are dimensions of the nest or computed.
class Loop_AddressOp<string mnemonic, list<Trait> traits> : Loop_Op<mnemonic, traits # [ParentOneOf<["NestOp", "ReduceOp"]>]> {
  let extraClassDeclaration = [{
    /// Of each index, a number or an expression.
    ::mlir::ArrayRef<::mlir::Attribute> getStrideList() { return getStrides().getValue(); }
  }];
  let hasVerifier = 1;
}

def Loop_LoadOp : Loop_AddressOp<"load", [MemoryEffects<[MemRead]>, TypesMatchWith<"value is of the element type", "buffer", "value",
                                                              "::llvm::cast<::mlir::MemRefType>($_self).getElementType()">]> {
  let summary = "Reads an element of a buffer";
  let description = [{
    At `offset` + the sum of the indices times their strides (address_c1). `run`, `transforms` and `packed` say that points share elements, that
    they are products with matrices, and that the buffer is laid out anew: see the attributes, which have an entry for each dimension (load_c1).

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
    One index may be computed, with a number as its stride (store_c1).

    Example: `loop.store %v, %out0[%d0 * 64 + %d2] : memref<4096xf32>`
  }];
  let arguments = (ins AnyType:$value, Loop_Buffer:$buffer, Variadic<Index>:$indices, ArrayAttr:$strides, Dim_SizeAttr:$offset);
  let assemblyFormat = "$value `,` $buffer `` custom<Address>($indices, $strides, $offset) attr-dict `:` type($buffer)";
}

def Loop_IndexOp : Loop_AddressOp<"index", [Pure]> {
  let summary = "A linear form of the dimensions as a value";
  let description = [{
    Its indices are dimensions of the nest (index_c1).

    Example: `%i = loop.index [%d0 * 2 + 1]`
  }];
  let arguments = (ins Variadic<Index>:$indices, ArrayAttr:$strides, Dim_SizeAttr:$offset);
  let results = (outs Index:$value);
  let assemblyFormat = "custom<Address>($indices, $strides, $offset) attr-dict";
}

def Loop_ReduceOp : Loop_Op<"reduce", [HasParent<"NestOp">, SingleBlock, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "Runs over the reduction dimensions of the nest";
  let description = [{
    The arguments of the body are the running results, which begin with `initial`; what it yields are the next ones. All have the types of the
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
