// Attributes of the loop dialect: where memory lies, how an operand is laid out, which loops walk a nest.
#ifndef CAMEO_DIALECTS_LOOP_LOOPATTRIBUTES_TD
#define CAMEO_DIALECTS_LOOP_LOOPATTRIBUTES_TD

include "dialects/Loop/LoopBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Loop_Attr<string name, string attrMnemonic> : AttrDef<Loop_Dialect, name> {
  let mnemonic = attrMnemonic;
  let genVerifyDecl = 1;
}

def Loop_Role : I32EnumAttr<"Role", "what a buffer is to its program", [
  I32EnumAttrCase<"Argument", 0, "argument">, I32EnumAttrCase<"Result", 1, "result">,
  I32EnumAttrCase<"Temporary", 2, "temporary">, I32EnumAttrCase<"Table", 3, "table">
]> {
  let cppNamespace = "::cameo::loop";
}

def Loop_Space : I32EnumAttr<"Space", "where a buffer lies", [
  I32EnumAttrCase<"Global", 0, "global">, I32EnumAttrCase<"Arena", 1, "arena">, I32EnumAttrCase<"Stack", 2, "stack">,
  I32EnumAttrCase<"Shared", 3, "shared">
]> {
  let cppNamespace = "::cameo::loop";
  let genSpecializedAttr = 0;
}
def Loop_SpaceAttr : EnumAttr<Loop_Dialect, Loop_Space, "space"> {
  let summary = "The memory space of a temporary";
  let description = [{
    `arena`: memory that all threads share, with the lifetime of the program. `stack`: memory of the thread that runs a row of the group, with the lifetime
    of the row; `shared`: memory of the threads of a block of a GPU that run it. What is the caller's or a constant is `global`, which is a type without a memory space.
    Example: `memref<64xf32, #loop.space<stack>>`
  }];
  let assemblyFormat = "`<` $value `>`";
}

def Loop_RunAttr : Loop_Attr<"Run", "run"> {
  let summary = "Points that read the same element";
  let description = [{
    Runs of `length` points, counted by `offset` + the sum of the nest's dimensions times `strides`, read one element: that at the address of the load minus
    what the count is into its run. Strides are numbers or expressions, one per dimension.
    Example: `#loop.run<length = 4, offset = 0, strides = [4, 1]>`
  }];
  let parameters = (ins "int64_t":$length, "::mlir::Attribute":$offset, "::mlir::ArrayAttr":$strides);
  let assemblyFormat = [{ `<` `length` `=` $length `,` `offset` `=` custom<Size>($offset) `,` `strides` `=` custom<SizeList>($strides) `>` }];
}

def Loop_TransformAttr : Loop_Attr<"Transform", "transform"> {
  let summary = "The index along a dimension counts rows of a matrix";
  let description = [{
    What is loaded is the product of row `dim` of the matrix, whose entries are rational numbers with one denominator, and as many neighbours along the dimension
    as it has columns. Such a load is packed, because only packing computes the product.
    Example: `#loop.transform<dim = 1, columns = 3, denominator = 2, entries = [2, 0, 0, 1, 1, 1, 1, -1, 1, 0, 0, 2]>`
  }];
  let parameters = (ins "unsigned":$dim, "int64_t":$columns, "int64_t":$denominator, ArrayRefParameter<"int64_t">:$entries);
  let assemblyFormat = [{ `<` `dim` `=` $dim `,` `columns` `=` $columns `,` `denominator` `=` $denominator `,` `entries` `=` custom<NumberList>($entries) `>` }];
}

def Loop_PackedAttr : Loop_Attr<"Packed", "packed"> {
  let summary = "The layout that a load finds its operand in";
  let description = [{
    The operand was laid out anew for the nest: blocks of the vector dimension, in each of them the reductions in the order of the loops, innermost one block of
    whole vectors. The address is `offset` + the sum over the dimensions of index times (`fixed` + `per_width` times the padded width of the block); the index
    along the vector dimension counts `block_stride` per element up to the begin of the block, and `group` from there.
    With a `width` blocks have so many elements along the vector dimension, all padded to it, and the loops take one or several at once: the index counts `block_stride`
    per element up to the begin of a block in memory. With `prefetched` the next block is fetched while one is used.
    Example: `#loop.packed<offset = 0, block_stride = 4, group = 1, fixed = [0, 0, 0], per_width = [0, 0, 1]>`
  }];
  let parameters = (ins "int64_t":$offset, "int64_t":$block_stride, "int64_t":$group, "::mlir::ArrayAttr":$fixed, ArrayRefParameter<"int64_t">:$per_width,
                    DefaultValuedParameter<"int64_t", "0">:$width, DefaultValuedParameter<"bool", "false">:$prefetched);
  let assemblyFormat = [{
    `<` `offset` `=` $offset `,` `block_stride` `=` $block_stride `,` `group` `=` $group `,` (`width` `=` $width^ `,`)? `fixed` `=`
    custom<SizeList>($fixed) `,` `per_width` `=` custom<NumberList>($per_width) (`,` `prefetched` `=` $prefetched^)? `>`
  }];
}

def Loop_OrderAttr : Loop_Attr<"Order", "order"> {
  let summary = "The loops that walk a nest";
  let description = [{
    What the steps of a schedule left of a nest. `loops` are pairs of a dimension and a size, outermost first: a loop over pieces of at most so many points of
    it. What the loops leave of a dimension is unrolled. The first `repeated` ones are run by every thread, the `parallel` ones behind them make the range that
    threads share. Neighbouring points along dimension `vector` share vectors of `lanes`; bytes are multiplied in groups along `dot`; each iteration of loop
    `partial`, over a reduction, has a result of its own. `packed` and `prefetched` are numbers of buffers. With `turns_rows` every second of the rows that
    run in order goes through the loops backwards; while the nest runs, a part of what the next row reads is fetched that is as large as its `fetch_work` among those of the group.
    `piece_units` are the iterations of the range that a piece is, and one of the last, smaller ones. Long functions are computed of `functions_in_turns` points side by side;
    with `finishes_in_loop` by a loop over the results of a block, which lie on the stack.
    On a GPU, `bound` has pairs of a loop and what runs its iterations (0: blocks, 1: virtual threads, 2: threads, 3: threads of a warp); what is read of the buffers `cached` comes from shared memory, of so many
    `stages`, copied past registers where `async` is set, and `unroll` steps of a reduction are taken at once. `tensor` has what the matrix unit multiplies: the number of a kind (0: mma, and so on as in `#schedule.tensor`), rows, columns and depth;
    loops bound to 3 are then those of warps. `online` has the rows and the keys that a block takes at a time of an attention, whose last nest this is.
    Example: `#loop.order<loops = [[0, 6], [2, 16], [3, 1]], parallel = 2, vector = 2, lanes = 16, packed = [1]>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$loops, DefaultValuedParameter<"unsigned", "0">:$parallel,
                    DefaultValuedParameter<"unsigned", "0">:$repeated, DefaultValuedParameter<"int64_t", "-1">:$vector,
                    DefaultValuedParameter<"unsigned", "1">:$lanes, DefaultValuedParameter<"int64_t", "-1">:$partial,
                    DefaultValuedParameter<"int64_t", "-1">:$dot, OptionalArrayRefParameter<"unsigned">:$packed,
                    OptionalArrayRefParameter<"unsigned">:$prefetched, DefaultValuedParameter<"bool", "false">:$turns_rows,
                     OptionalParameter<"::mlir::FloatAttr">:$fetch_work, OptionalArrayRefParameter<"int64_t">:$piece_units,
                     DefaultValuedParameter<"int64_t", "1">:$functions_in_turns, DefaultValuedParameter<"bool", "false">:$finishes_in_loop,
                     OptionalArrayRefParameter<"int64_t">:$bound, OptionalArrayRefParameter<"unsigned">:$cached,
                     DefaultValuedParameter<"unsigned", "1">:$stages, DefaultValuedParameter<"int64_t", "0">:$unroll,
                     DefaultValuedParameter<"bool", "false">:$async, OptionalArrayRefParameter<"int64_t">:$tensor,
                     OptionalArrayRefParameter<"int64_t">:$online);
  let assemblyFormat = [{
    `<` struct(custom<LoopList>($loops), $parallel, $repeated, $vector, $lanes, $partial, $dot, custom<NumberList>($packed),
               custom<NumberList>($prefetched), $turns_rows, $fetch_work, custom<NumberList>($piece_units), $functions_in_turns, $finishes_in_loop,
               custom<LoopList>($bound), custom<NumberList>($cached), $stages, $unroll, $async, custom<NumberList>($tensor),
               custom<NumberList>($online)) `>`
  }];
}

#endif
