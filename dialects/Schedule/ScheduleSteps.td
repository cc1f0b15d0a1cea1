// A schedule as data: one attribute per step, in the order of application.
#ifndef CAMEO_DIALECTS_SCHEDULE_SCHEDULESTEPS_TD
#define CAMEO_DIALECTS_SCHEDULE_SCHEDULESTEPS_TD

include "dialects/Schedule/StepInterface.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"

def Schedule_Dialect : Dialect {
  let name = "schedule";
  let cppNamespace = "::cameo::schedule";
  let summary = "Loop transformations as data.";
  let description = [{
    The schedule of a task is a `#schedule.steps` attribute on its `task.def`. Steps refer to a loop nest of the task by its
    number, and to the nest's dimensions by theirs, both as `cameo-opt --print-nests` prints them. Rules, records and a search
    create schedules; passes apply them.
  }];
  let useDefaultAttributePrinterParser = 1;
}

class Schedule_Attr<string name, string attrMnemonic, list<Trait> traits = []> : AttrDef<Schedule_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

/// A step. Its effect is implemented in the file of the same name in passes/Schedule/Steps.
class Schedule_Step<string name, string stepMnemonic> : Schedule_Attr<name, stepMnemonic, [StepAttrInterface]> {
  let assemblyFormat = "`<` struct(params) `>`";
}

/// A step that replaces nests.
class Schedule_Replacement<string name, string stepMnemonic> : Schedule_Step<name, stepMnemonic> {
  let extraClassDeclaration = "bool replacesNests() const { return true; }";
}

def Schedule_TileAttr : Schedule_Step<"Tile", "tile"> {
  let summary = "A loop over pieces of a dimension";
  let description = [{
    Adds a loop over pieces of at most `size` points of dimension `dim`, inside of the loops so far. The points that the loops
    leave of a dimension are unrolled into the register block. A loop over a parallel dimension inside of a loop over a
    reduction keeps the running results of its points in memory. On a GPU, where loops are bound to blocks and threads, loops of a
    nest without any bound one are over parallel dimensions, and each iteration of all of them has a thread.
    Example: `#schedule.tile<nest = 0, dim = 2, size = 14>`
  }];
  let parameters = (ins "unsigned":$nest, "unsigned":$dim, "int64_t":$size);
  let genVerifyDecl = 1;
}

def Schedule_ParallelAttr : Schedule_Step<"Parallel", "parallel"> {
  let summary = "The number of outermost loops that run in parallel, and of loops around them that every thread runs";
  let description = "Examples: `#schedule.parallel<nest = 0, loops = 2>`, `#schedule.parallel<nest = 0, loops = 2, inside = 1>`";
  let parameters = (ins "unsigned":$nest, "unsigned":$loops, DefaultValuedParameter<"unsigned", "0">:$inside);
  let genVerifyDecl = 1;
}

def Schedule_VectorizeAttr : Schedule_Step<"Vectorize", "vectorize"> {
  let summary = "The dimension whose neighbouring points share a vector";
  let description = "Example: `#schedule.vectorize<nest = 0, dim = 3, lanes = 16>`";
  let parameters = (ins "unsigned":$nest, "unsigned":$dim, "unsigned":$lanes);
  let genVerifyDecl = 1;
}

def Schedule_PackAttr : Schedule_Step<"Pack", "pack"> {
  let summary = "Packs an operand of a reduction in the order in which the loops read it";
  let description = [{
    Constants are packed at compile time, other operands by a copy before the nest. On a GPU only constants in shared memory
    are packed: so that the points of a block are contiguous, or the steps of the depth if the matrix unit multiplies elements
    that do not have 16 bits.
    With a `width`, a packed block has that many points along the vector dimension, and loops may take several blocks at once;
    without, it has as many as the loops take. So schedules with different loops can read one layout.
    Examples: `#schedule.pack<nest = 0, buffer = 1>`, `#schedule.pack<nest = 0, buffer = 1, width = 16>`
  }];
  let parameters = (ins "unsigned":$nest, "unsigned":$buffer, DefaultValuedParameter<"int64_t", "0">:$width);
  let genVerifyDecl = 1;
}

def Schedule_PrefetchAttr : Schedule_Step<"Prefetch", "prefetch"> {
  let summary = "Prefetches the next block of a packed operand while one is used";
  let description = [{
    A block is what the loops over the vector dimension take at once. The prefetches of the next block are spread over the
    iterations of the other parallel dimensions, so that the memory is busy all the time.
    Example: `#schedule.prefetch<nest = 0, buffer = 1>`
  }];
  let parameters = (ins "unsigned":$nest, "unsigned":$buffer);
}

def Schedule_DotAttr : Schedule_Step<"Dot", "dot"> {
  let summary = "Contracts bytes along a reduction in groups of four";
  let description = [{
    Some processors multiply four bytes by four others and add the products to a 32-bit sum in one instruction. The four bytes
    must be contiguous: a packed operand has them innermost, and the other operand must have them contiguous already. Loops over
    the dimension take multiples of four; its end is padded with zeros. A sum of floats may have such sums as scaled terms if
    the scale is constant along the dimension; then each byte of one operand may hold several numbers.
    Example: `#schedule.dot<nest = 0, dim = 4>`
  }];
  let parameters = (ins "unsigned":$nest, "unsigned":$dim);
}

def Schedule_RfactorAttr : Schedule_Step<"Rfactor", "rfactor"> {
  let summary = "Partial results per iteration of a reduction loop";
  let description = [{
    In each iteration of loop number `loop`, which is over a reduction, the loops inside of it start from the identity; their
    result is then combined with the running result. Without this step a sum of floats starts a new partial sum after as many
    terms as its accuracy allows, for every schedule.
    Example: `#schedule.rfactor<nest = 0, loop = 3>`
  }];
  let parameters = (ins "unsigned":$nest, "unsigned":$loop);
}

def Schedule_WinogradAttr : Schedule_Replacement<"Winograd", "winograd"> {
  let summary = "Computes a 3x3 convolution by Winograd's minimal filtering";
  let description = [{
    Replaces the nest, before all other steps, by nests for tiles of `outputs` x `outputs` outputs: one transforms the input,
    one multiplies, one transforms back (there are more for a plane that the tiles do not divide). Outputs whose distance is the
    dilation of the convolution form a phase, which has its own tiles. Blocks of at most `rows` x `columns` tiles of one phase go
    through all nests before the next block; if a block is the whole plane, the nests are dispatched one after the other. Along
    a side of dynamic extent there are only whole tiles, 1048576 of them are all, and what they leave of the plane stays the
    convolution itself. Other steps number the nests after all replacements; `winograd` and `fuse` steps number them before.
    The transformed filter has 4 or 1.8 times the elements, in f32. It is computed when the model is compiled; with `channels` and
    `depth`, which require the whole plane, it is computed at run time, for that many outputs and inputs at a time, in memory of
    the thread.
    Examples: `#schedule.winograd<nest = 0, outputs = 4, rows = 1, columns = 14>`,
    `#schedule.winograd<nest = 0, outputs = 4, rows = 4, columns = 4, channels = 16, depth = 64>`
  }];
  let parameters = (ins "unsigned":$nest, "int64_t":$outputs, "int64_t":$rows, "int64_t":$columns,
                    DefaultValuedParameter<"int64_t", "0">:$channels, DefaultValuedParameter<"int64_t", "0">:$depth);
  let genVerifyDecl = 1;
}

def Schedule_FuseAttr : Schedule_Replacement<"Fuse", "fuse"> {
  let summary = "Runs consecutive nests together, in overlapped tiles of the results of the last one";
  let description = [{
    Joins the nests from `nest` to `last`, before all other steps, into groups of rows. Each row is an overlapped tile of `size`
    points of the first dimension of the last nest; the other nests compute what that tile needs, before the next tile. The
    buffers between them hold one tile, in memory of the thread. What two tiles need, such as the rows around a window, is
    computed for both. Tiles at the edges of a plane may form groups of their own. Dimension 0 of the nests is then the tile;
    nests are numbered as for `winograd` steps. In a group of rows that share a matrix (the heads of attention), the nests are
    tiled along the dimension after the rows, and the tile comes before it; where sizes are dynamic, what is left of the last tile
    is a group of its own. If the first nest copies rows of an input to a result, and the last one multiplies that result, the
    nests between run before, a tile is `size` rows that are copied and multiplied, and what is left is multiplied apart; sums over
    rows are divided into parts. In any other group of rows, which are independent, all nests must be joined, and a tile is `size` rows: they form the dimension after that of the tiles, and row-local buffers
    hold all rows of a tile.
    Example: `#schedule.fuse<nest = 0, last = 6, size = 4>`
  }];
  let parameters = (ins "unsigned":$nest, "unsigned":$last, "int64_t":$size);
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool replacesNests() const { return true; }
    unsigned getLastNest() const { return getLast(); }
  }];
}

def Schedule_FlattenAttr : Schedule_Replacement<"Flatten", "flatten"> {
  let summary = "Collapses the rows of a plane into one dimension";
  let description = [{
    Collapses the parallel dimensions `dim` and `dim` + 1 of the nest, before all other steps: its points are those of the first
    row, then those of the next row. So register blocks can continue in the next row: 49 pixels are blocks of 6 and 5, where rows
    of 7 are blocks of 4 and 3. Accesses that are not contiguous from row to row (windows of a padded plane) compute the number of
    the row once per block. Nests are numbered as for `winograd` steps; other steps number the dimensions after this one.
    Example: `#schedule.flatten<nest = 0, dim = 0>`
  }];
  let parameters = (ins "unsigned":$nest, "unsigned":$dim);
}

def Schedule_InlineAttr : Schedule_Replacement<"Inline", "inline"> {
  let summary = "Computes a nest where its result is loaded";
  let description = [{
    Removes the nest, before all other steps: each nest that loads its result computes the loaded elements itself, once per load. The
    result must not be a result of the task, and its readers must load it at points of the nest. If a reader has one dimension for
    several dimensions of the nest, that dimension is split. Nests are numbered as for `winograd` steps.
    Example: `#schedule.inline<nest = 0>`
  }];
  let parameters = (ins "unsigned":$nest);
}

def Schedule_Binding : I32Enum<"Binding", "what runs the iterations of a loop on a GPU", [
  I32EnumCase<"Block", 0, "block">, I32EnumCase<"VirtualThread", 1, "vthread">, I32EnumCase<"Thread", 2, "thread">, I32EnumCase<"Warp", 3, "warp">,
  I32EnumCase<"Cluster", 4, "cluster">
]> {
  let cppNamespace = "::cameo::schedule";
}

def Schedule_BindAttr : Schedule_Step<"Bind", "bind"> {
  let summary = "Binds the iterations of a loop to blocks or threads of a GPU";
  let description = [{
    Each iteration of a loop bound to `block` runs in its own block, and each iteration of a loop bound to `thread` in its own thread
    of the block; iterations of a loop bound to `vthread` are unrolled in each thread. Loops over parallel dimensions are bound
    from the outermost on: first to blocks and, after the loops over reductions, to virtual threads and threads. Each thread computes
    the points that remain of a dimension inside of them; with a `tensor` step, loops are bound to `warp` instead, and the points that
    remain are those of a warp.
    If a loop over a reduction is bound to `thread`, the threads of a block combine their partial results; if it is bound to `warp`,
    those of a warp do, and each warp has its own point. If it is bound to `block`, after the loops over parallel dimensions, each
    block takes a share of the reduction, and the last block to finish combines the partial results of each point in order. If it is
    bound to `cluster`, these blocks are a cluster, and each combines those of some points, which it reads in the shared memory of the
    others. Loops are numbered as in the nest's `tile` steps.
    If no loop of a nest is bound, each point, or vector of points, has its own thread.
    Examples: `#schedule.bind<nest = 0, loop = 0, to = block>`, `#schedule.bind<nest = 0, loop = 4, to = thread>`
  }];
  let parameters = (ins "unsigned":$nest, "unsigned":$loop, EnumParameter<Schedule_Binding>:$to);
}

def Schedule_Copy : I32Enum<"Copy", "how a block of a GPU fetches what it keeps in shared memory", [
  I32EnumCase<"Vector", 0, "vector">, I32EnumCase<"Async", 1, "async">
]> {
  let cppNamespace = "::cameo::schedule";
}

def Schedule_CopyParameter : EnumParameter<Schedule_Copy> {
  let defaultValue = "::cameo::schedule::Copy::Vector";
}

def Schedule_CacheAttr : Schedule_Step<"Cache", "cache"> {
  let summary = "Copies the part of a buffer that a block reads to shared memory, by all of its threads";
  let description = [{
    In each iteration of the loops over the reduction, the part of `buffer` that the block reads is fetched once. With 2 `stages` a block
    fetches the next part while it computes with the current one. A `vector` copy goes through registers of the threads. An `async` copy
    does not; with more `stages`, the copies of all but one of the stages are in flight at a time.
    Examples: `#schedule.cache<nest = 0, buffer = 1, stages = 2>`, `#schedule.cache<nest = 0, buffer = 1, stages = 3, copy = async>`
  }];
  let parameters = (ins "unsigned":$nest, "unsigned":$buffer, DefaultValuedParameter<"unsigned", "1">:$stages,
                    Schedule_CopyParameter:$copy);
  let genVerifyDecl = 1;
}

def Schedule_UnrollAttr : Schedule_Step<"Unroll", "unroll"> {
  let summary = "The unroll factor of the innermost reduction loop in a thread of a GPU";
  let description = [{
    Without this step, all steps of a fetch are unrolled if blocks have tiles in shared memory; other nests are not unrolled.
    Example: `#schedule.unroll<nest = 0, factor = 4>`
  }];
  let parameters = (ins "unsigned":$nest, "int64_t":$factor);
  let genVerifyDecl = 1;
}

def Schedule_TensorKind : I32Enum<"TensorKind", "instructions by which a warp of a GPU multiplies matrices", [
  I32EnumCase<"Mma", 0, "mma">, I32EnumCase<"MmaTf32", 1, "mma_tf32">, I32EnumCase<"Mma3xTf32", 2, "mma_3xtf32">,
  I32EnumCase<"MmaF16", 3, "mma_f16">, I32EnumCase<"MmaBf16", 4, "mma_bf16">, I32EnumCase<"Wgmma", 5, "wgmma">
]> {
  let cppNamespace = "::cameo::schedule";
}

def Schedule_TensorAttr : Schedule_Step<"Tensor", "tensor"> {
  let summary = "Multiplies operands in shared memory by the matrix unit of a GPU";
  let description = [{
    Each warp of the block has neighbouring rows and columns of a product (`bind` to `warp`); one instruction multiplies `m` x `k` elements of one
    operand by `k` x `n` of the other. `mma` is `mma.sync` on the element types of the operands: 16 x 8 x 16 for f16 or bf16, with sums in f32, or
    16 x 8 x 32 for bytes, with sums in i32. The other kinds convert f32 operands to a type with fewer bits, as the target allows (`gpu_math`):
    `mma_tf32` is 16 x 8 x 8 on tf32, `mma_3xtf32` uses three of these instructions on the two tf32 parts of each number, `mma_f16` and `mma_bf16`
    are 16 x 8 x 16 on these types. `wgmma` is `wgmma.mma_async` of sm_90a, by which four warps that follow each other multiply 64 x `n` x 16 of f16 or
    bf16 together: each warp has 16 rows and all `n` columns of the block, a power of two from 16 to 256.
    Examples: `#schedule.tensor<nest = 0, kind = mma, m = 16, n = 8, k = 16>`, `#schedule.tensor<nest = 0, kind = wgmma, m = 64, n = 128, k = 16>`
  }];
  let parameters = (ins "unsigned":$nest, EnumParameter<Schedule_TensorKind>:$kind, "int64_t":$m, "int64_t":$n, "int64_t":$k);
  let genVerifyDecl = 1;
}

def Schedule_OnlineAttr : Schedule_Step<"Online", "online"> {
  let summary = "Computes attention in the blocks of a GPU without storing its scores to memory";
  let description = [{
    Nest `nest` multiplies values by the softmax of scores that the nests before it compute: a product of queries and keys, and four nests of its
    rows. Each block computes all of these nests for `rows` queries, with `keys` keys and values at a time, which its threads fetch into shared
    memory. The running maximum score of a row, the sum of its exponentials and its running results are corrected with each part of the keys.
    With a step `tensor` of the last nest the matrix unit computes both products: then rows and keys are powers of two, each warp has 16 rows, and
    the next part is copied asynchronously meanwhile. None of these nests has another step.
    Example: `#schedule.online<nest = 5, rows = 32, keys = 32>`
  }];
  let parameters = (ins "unsigned":$nest, "int64_t":$rows, "int64_t":$keys);
  let genVerifyDecl = 1;
}

def Schedule_ChainAttr : Schedule_Step<"Chain", "chain"> {
  let summary = "Computes a product in the blocks of the product that it reads";
  let description = [{
    The left operand of nest `nest` is the result of another product, whose blocks have all of its columns. They keep their rows of it in shared
    memory, and compute the same rows of nest `nest` from there, as many columns at a time as its tile has, which fetches all steps at once. Where no
    other nest reads the result, it is not stored to memory. Both nests have a step `tensor` that multiplies f16 or bf16, and equal blocks along rows.
    The other product may have a step `chain`, too: a block computes three products at most.
    Example: `#schedule.chain<nest = 1>`
  }];
  let parameters = (ins "unsigned":$nest);
}

def Schedule_PoolAttr : Schedule_Step<"Pool", "pool"> {
  let summary = "Pools the results of a nest in the blocks of a GPU that compute them";
  let description = [{
    A pool reads windows of what nest `nest`, a product by the matrix unit, stores. Each block keeps its results in shared memory, and computes the windows that
    it has all points of. So points of neighbouring blocks overlap where windows do. The nest of the pool, and those of borders between both, have no steps.
    Example: `#schedule.pool<nest = 0>`
  }];
  let parameters = (ins "unsigned":$nest);
}

def Schedule_StepsAttr : Schedule_Attr<"Steps", "steps"> {
  let summary = "A whole schedule";
  let description = "Example: `#schedule.steps<#schedule.tile<nest = 0, dim = 0, size = 4>>`";
  let parameters = (ins ArrayRefParameter<"::mlir::Attribute">:$steps);
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1; // a generated parser rejects an empty list
}

#endif
