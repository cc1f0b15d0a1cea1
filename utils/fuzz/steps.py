"""What graphs are made of: steps, and kinds of graphs that take some of them. A step that stands several times is taken more often."""

import control
import elementwise
import images
import movement
import products
import reductions

ALL = elementwise.STEPS + movement.STEPS + reductions.STEPS + products.STEPS + images.STEPS + control.STEPS
# The operators of networks. Each reads the previous result, so that there are chains in which layouts are chosen and operators are fused.
NETWORK = [products.conv] * 4 + [products.depthwise] * 2 + [elementwise.unary, elementwise.arithmetic] * 3 + [
    reductions.pool, reductions.softmax, reductions.normalise, reductions.reduce, movement.concat, movement.pad, movement.slice_, movement.transpose, movement.reshape, movement.split,
    movement.blocks, movement.gather, products.matmul, products.matmul, products.attention, products.conv_transpose, products.scale_channels, products.gemm, images.resize]
KINDS = {
    "all": (ALL, 0.15),
    "network": (NETWORK, 0.01),
    "elements": (elementwise.STEPS + [movement.transpose, movement.reshape, movement.concat, reductions.reduce], 0.1),
    "movement": (movement.STEPS + [elementwise.cast, elementwise.where, elementwise.unary, elementwise.arithmetic], 0.08),
    "sums": (reductions.STEPS + [elementwise.cast, elementwise.unary, movement.transpose, movement.reshape, products.matmul], 0.08),
    "integers": ([products.quantise, products.integer_products, products.quantised_product, elementwise.cast, elementwise.arithmetic, elementwise.bits, elementwise.clip,
                  reductions.reduce, movement.transpose, movement.concat, movement.slice_], 0.08),
}
USUAL = ("all", "all", "all", "network", "network", "elements", "movement", "sums", "integers")


def grow(graph, kind=None, most=40):
    """Adds at most `most` nodes, and a few that some steps add, of a random kind of graph."""
    kind = kind or graph.pick(*USUAL)
    steps, graph.share_of_fresh = KINDS[kind]
    graph.kind = kind
    if kind == "network":
        graph.types = [graph.pick("f32", "f32", "f32", "f32", "f16", "f64")] * 3 + ["i64", "f32"]
        graph.usual_shape = graph.pick(graph.planes(), graph.planes(), graph.rows())
        graph.fresh(graph.types[0], graph.usual_shape, (-2, 2), constant=False)
    graph.grow(steps, min(most, graph.pick(3, 4, 6, 8, 12, 16, 20, 28, 40)))
