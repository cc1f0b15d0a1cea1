// The roofline and the arena of the page about a model. Runs before ModelPage.js, which calls it.
'use strict';

// ---- roofline ----

// Powers of ten around all values.
function decades(values) {
  const low = values.reduce((least, value) => Math.min(least, value), Infinity), high = values.reduce((most, value) => Math.max(most, value), 0);
  return [Math.floor(Math.log10(low)), Math.max(Math.ceil(Math.log10(high * 1.05)), Math.floor(Math.log10(low)) + 1)];
}

function drawRoofline() {
  const place = document.getElementById('roofline'), ridge = clock.flops / clock.bytes;
  const drawn = tasks.map((task, number) => number).filter(number => tasks[number].ofRoof !== null);
  if (drawn.length === 0 || !(clock.flops > 0 && clock.bytes > 0)) {
    add(place, 'p', {}, 'No task has both arithmetic of a known size and a time.');
    return;
  }
  add(place, 'p', {}, `The roof is ${rounded(clock.flops)} ${clock.rate} and ${rounded(clock.bytes)} ${clock.measured ? 'GB/s from memory, both measured' : 'bytes per cycle from beyond the caches of a core, by the model of the processor'}. ` +
    'Tasks in caches may be above its slope; convolutions by Winograd take fewer operations than are counted.');
  const width = 900, height = 380, left = 60, right = 20, top = 24, bottom = 44;
  const [lowX, highX] = decades([ridge, ...drawn.map(number => tasks[number].intensity)]);
  const [lowY, highY] = decades([clock.flops, ...drawn.map(number => tasks[number].rate)]);
  const x = value => left + (Math.log10(value) - lowX) / (highX - lowX) * (width - left - right);
  const y = value => height - bottom - (Math.log10(value) - lowY) / (highY - lowY) * (height - top - bottom);
  const svg = add(place, 'svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'roofline'});
  for (let power = lowX; power <= highX; ++power) {
    add(svg, 'line', {class: 'grid', x1: x(10 ** power), x2: x(10 ** power), y1: top, y2: height - bottom});
    add(svg, 'text', {x: x(10 ** power), y: height - bottom + 16, 'text-anchor': 'middle'}, rounded(10 ** power));
  }
  for (let power = lowY; power <= highY; ++power) {
    add(svg, 'line', {class: 'grid', x1: left, x2: width - right, y1: y(10 ** power), y2: y(10 ** power)});
    add(svg, 'text', {x: left - 6, y: y(10 ** power) + 4, 'text-anchor': 'end'}, rounded(10 ** power));
  }
  add(svg, 'text', {x: width - right, y: height - 6, 'text-anchor': 'end'}, 'FLOP per byte read or written');
  add(svg, 'text', {x: 4, y: 14}, clock.rate + (clock.measured ? ', measured' : ', estimated'));
  const start = Math.max(10 ** lowX, 10 ** lowY / clock.bytes), points = [start, ridge, 10 ** highX].filter(value => value >= start);
  add(svg, 'polyline', {class: 'roof', points: points.map(value => `${x(value)},${y(Math.min(clock.flops, clock.bytes * value))}`).join(' ')});
  for (const number of drawn) {
    const task = tasks[number];
    const dot = add(svg, 'circle', {class: 'task', cx: x(task.intensity).toFixed(1), cy: y(task.rate).toFixed(1), r: (4 + 9 * Math.sqrt(task.share)).toFixed(1), 'fill-opacity': .6});
    add(dot, 'title', {}, `${task.name}: ${rounded(task.rate)} ${clock.rate}, ${Math.round(100 * task.ofRoof)} % of the roof, ${percent(task.share)} of all time`);
    dot.addEventListener('click', () => choose(number));
    views[number].push(dot);
  }
}

// ---- arena ----

function drawBuffers(svg, x, y, atLeast) {
  const numbers = new Map(tasks.map((task, number) => [task.name, number]));
  for (const buffer of arena.buffers) {
    const rect = add(svg, 'rect', {class: buffer.scratch ? 'buffer scratch' : 'buffer', x: x(buffer.first).toFixed(2), y: y(buffer.offset + buffer.bytes).toFixed(2),
                                   width: Math.max(atLeast, x(buffer.last + 1) - x(buffer.first)).toFixed(2), height: Math.max(atLeast, y(buffer.offset) - y(buffer.offset + buffer.bytes)).toFixed(2)});
    add(rect, 'title', {}, `${buffer.scratch ? 'scratch' : 'result'} of ${buffer.name} ${buffer.nodes}: ${byteText(buffer.bytes)} at ${buffer.offset}, steps ${buffer.first} to ${buffer.last}`);
    const number = numbers.get(buffer.name);
    if (number === undefined)
      continue;
    views[number].push(rect);
    rect.addEventListener('click', () => choose(number));
  }
}

function listPeak(place) {
  const alive = arena.buffers.filter(buffer => buffer.first <= arena.peak && arena.peak <= buffer.last).sort((a, b) => b.bytes - a.bytes);
  const step = steps[arena.peak];
  add(place, 'p', {}, `The peak is step ${arena.peak}, ${step.name} ${shortened(step.nodes, 160)}, where ${byteText(step.alive)} are in use:`);
  const table = add(add(place, 'div', {class: 'wide'}), 'table', {id: 'peak'}), head = add(add(table, 'thead'), 'tr'), body = add(table, 'tbody');
  for (const title of ['what', 'bytes', 'at', 'from step', 'to step'])
    add(head, 'th', {}, title);
  for (const buffer of alive) {
    const row = add(body, 'tr');
    for (const text of [shortened(`${buffer.scratch ? 'scratch' : 'result'} of ${buffer.name} ${buffer.nodes}`, 90), buffer.bytes, buffer.offset, buffer.first, buffer.last])
      add(row, 'td', {}, text);
  }
}

function drawArena() {
  const place = document.getElementById('arena'), open = arena.open > 0 ? ` Behind it are ${arena.open} buffers whose sizes each run chooses.` : '';
  add(place, 'p', {}, `The memory that a run needs besides inputs, outputs and weights: ${byteText(arena.bytes)}, of which at most ${byteText(arena.alive)} are in use at once.${open}`);
  if (arena.buffers.length === 0 || arena.peak === undefined)
    return;
  const legend = add(place, 'p', {class: 'key'});
  for (const [colour, text] of [['var(--mark)', 'result of a task'], ['var(--dot)', 'scratch, which one task needs'], ['var(--text)', 'line: bytes in use'], ['var(--line)', 'the peak']]) {
    const entry = add(legend, 'span');
    add(entry, 'i', {class: 'swatch'}).style.background = colour;
    entry.append(text);
  }
  const width = 900, height = 320, left = 70, right = 20, top = 20, bottom = 40;
  const x = step => left + step / steps.length * (width - left - right), y = bytes => height - bottom - bytes / arena.bytes * (height - top - bottom);
  const svg = add(place, 'svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'arena over the run'});
  for (let part = 0; part <= 4; ++part) {
    add(svg, 'line', {class: 'grid', x1: left, x2: width - right, y1: y(arena.bytes * part / 4), y2: y(arena.bytes * part / 4)});
    add(svg, 'text', {x: left - 6, y: y(arena.bytes * part / 4) + 4, 'text-anchor': 'end'}, byteText(arena.bytes * part / 4));
    add(svg, 'text', {x: x(steps.length * part / 4), y: height - bottom + 16, 'text-anchor': 'middle'}, Math.round(steps.length * part / 4));
  }
  add(svg, 'text', {x: width - right, y: height - 6, 'text-anchor': 'end'}, 'step of the run');
  add(svg, 'text', {x: 4, y: 12}, 'address');
  drawBuffers(svg, x, y, 0.8);
  const line = steps.map((step, number) => `${x(number).toFixed(2)},${y(step.alive).toFixed(2)} ${x(number + 1).toFixed(2)},${y(step.alive).toFixed(2)}`);
  add(svg, 'polyline', {class: 'alive', points: line.join(' ')});
  add(svg, 'line', {class: 'peak', x1: x(arena.peak + 0.5), x2: x(arena.peak + 0.5), y1: top, y2: height - bottom});
  listPeak(place);
}
