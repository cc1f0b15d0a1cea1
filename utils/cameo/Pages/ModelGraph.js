// Lays a graph out top to bottom: layers, order within them, places. Sugiyama, Tagawa, Toda, "Methods for visual understanding of hierarchical system structures", 1981.
'use strict';

// An edge over more layers than this is drawn as a stub at its target: as a line it would only cross others.
const longestEdge = 24;
const layerGap = 46, boxGap = 22, lineGap = 12;

// Sources are numbers of boxes before a box. What reads inputs alone stands close to who needs it.
function findLayers(boxes) {
  const readers = boxes.map(() => []);
  boxes.forEach((box, number) => {
    box.layer = 0;
    for (const source of box.sources) {
      box.layer = Math.max(box.layer, boxes[source].layer + 1);
      readers[source].push(number);
    }
  });
  for (let number = boxes.length - 1; number >= 0; --number) {
    const box = boxes[number], isEarly = box.sources.every(source => boxes[source].sources.length === 0);
    if (isEarly && readers[number].length > 0)
      box.layer = readers[number].reduce((least, reader) => Math.min(least, boxes[reader].layer), Infinity) - 1;
  }
  return readers;
}

// Nodes are boxes and, where an edge crosses a layer, points; all edges of a box share their points.
function findNodes(boxes) {
  const readers = findLayers(boxes), stubs = [];
  const nodes = boxes.map((box, number) => ({box, number, layer: box.layer, width: box.width, up: [], down: []}));
  const connect = (above, below) => { above.down.push(below); below.up.push(above); };
  boxes.forEach((box, number) => {
    const points = [nodes[number]];
    for (const reader of [...readers[number]].sort((a, b) => boxes[a].layer - boxes[b].layer)) {
      const span = boxes[reader].layer - box.layer;
      if (span > longestEdge) {
        stubs.push({source: number, target: reader});
        continue;
      }
      while (points.length < span) {
        const point = {source: number, layer: box.layer + points.length, width: 0, up: [], down: []};
        connect(points[points.length - 1], point);
        points.push(point);
        nodes.push(point);
      }
      connect(points[span - 1], nodes[reader]);
    }
  });
  return {nodes, stubs};
}

function mean(nodes, of) {
  return nodes.reduce((sum, node) => sum + of(node), 0) / nodes.length;
}

// Each node goes where its neighbours are on average, downwards and upwards in turns.
function orderLayers(layers) {
  const number = layer => layer.forEach((node, index) => { node.index = index; });
  layers.forEach(number);
  for (let sweep = 0; sweep < 12; ++sweep) {
    const side = sweep % 2 === 0 ? 'up' : 'down';
    for (const layer of side === 'up' ? layers : [...layers].reverse()) {
      for (const node of layer)
        node.wish = node[side].length > 0 ? mean(node[side], each => each.index / layerSize(each)) * layer.length : node.index;
      layer.sort((a, b) => a.wish - b.wish);
      number(layer);
    }
  }
  function layerSize(node) { return layers[node.layer].length; }
}

// The places nearest to what the nodes wish, by least squares, that keep order and distances: wishes that are out of order are pooled.
function placeLayer(layer) {
  let offset = 0;
  const pools = [];
  layer.forEach((node, index) => {
    if (index > 0)
      offset += (layer[index - 1].width + node.width) / 2 + (node.width > 0 || layer[index - 1].width > 0 ? boxGap : lineGap);
    node.offset = offset;
    let pool = {sum: node.wish - offset, count: 1, first: index};
    while (pools.length > 0 && pools[pools.length - 1].sum / pools[pools.length - 1].count > pool.sum / pool.count) {
      const last = pools.pop();
      pool = {sum: last.sum + pool.sum, count: last.count + pool.count, first: last.first};
    }
    pools.push(pool);
  });
  for (const pool of pools)
    for (let index = pool.first; index < pool.first + pool.count; ++index)
      layer[index].x = pool.sum / pool.count + layer[index].offset;
}

// A bend in a long line is worse than one at a box.
function pull(node, near) {
  let sum = 0, weights = 0;
  for (const each of near) {
    const weight = node.width === 0 && each.width === 0 ? 8 : 1;
    sum += weight * each.x;
    weights += weight;
  }
  return sum / weights;
}

function placeNodes(layers) {
  for (const layer of layers) {
    layer.forEach(node => { node.wish = 0; });
    placeLayer(layer);
  }
  for (let sweep = 0; sweep < 40; ++sweep) {
    const isDown = sweep % 2 === 0;
    for (const layer of isDown ? layers : [...layers].reverse()) {
      for (const node of layer) {
        const near = isDown ? node.up : node.down;
        // Boxes of a chain are to stand below each other, lines to be straight: both neighbours count as soon as they have a place.
        const both = sweep > 8 ? [...node.up, ...node.down] : near;
        node.wish = both.length > 0 ? pull(node, both) : node.x;
      }
      placeLayer(layer);
    }
  }
}

// Gives each box x (its middle) and y (its top). Returns lines, each from one layer to the next, stubs, and the size of all.
function layOutGraph(boxes, boxHeight) {
  const {nodes, stubs} = findNodes(boxes);
  const layers = [];
  for (const node of nodes) {
    while (layers.length <= node.layer)
      layers.push([]);
    layers[node.layer].push(node);
  }
  orderLayers(layers);
  placeNodes(layers);
  let left = Infinity, right = -Infinity;
  for (const node of nodes) {
    left = Math.min(left, node.x - node.width / 2);
    right = Math.max(right, node.x + node.width / 2);
  }
  const margin = 10, lines = [];
  for (const node of nodes) {
    node.x += margin - left;
    node.y = margin + node.layer * (boxHeight + layerGap);
    if (node.box)
      Object.assign(node.box, {x: node.x, y: node.y});
  }
  nodes.forEach((node, number) => {
    for (const below of node.down)
      lines.push({source: node.box ? number : node.source, target: below.box ? below.number : -1, x: node.x, y: node.y + boxHeight, toX: below.x,
                  toY: below.y, end: below.box ? below.y : below.y + boxHeight});
  });
  return {lines, stubs, width: boxes.length > 0 ? right - left + 2 * margin : 0, height: 2 * margin + layers.length * (boxHeight + layerGap) - layerGap};
}
