// Draws the page about a model from the data in it. Texts of the model become text nodes only.
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const {clock, tasks, steps, arena} = data;
const boxHeight = 50;

// ---- elements and numbers ----

function add(parent, name, attributes = {}, text) {
  const isSvg = name === 'svg' || parent.namespaceURI === 'http://www.w3.org/2000/svg';
  const element = isSvg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    element.setAttribute(key, value);
  if (text !== undefined)
    element.textContent = text;
  return parent.appendChild(element);
}

function rounded(value) {
  return Number(value.toPrecision(3)).toString();
}

function withPrefix(value, unit) {
  const prefixes = ['', 'k', 'M', 'G', 'T', 'P'];
  let step = 0;
  for (; value >= 1000 && step + 1 < prefixes.length; ++step)
    value /= 1000;
  return `${rounded(value)} ${prefixes[step]}${unit}`;
}

function percent(part) {
  return part > 0 && part < 0.001 ? '< 0.1 %' : `${rounded(Math.round(1000 * part) / 10)} %`;
}

function timeText(time) {
  if (time === null)
    return clock.measured ? 'not measured' : 'no estimate';
  if (!clock.measured)
    return withPrefix(time, 'cycles');
  return time >= 0.1 ? `${rounded(time)} ms` : time >= 1e-4 ? `${rounded(1e3 * time)} \u00b5s` : `${rounded(1e6 * time)} ns`;
}

function shortened(text, most) {
  return text.length > most ? text.slice(0, most - 1) + '\u2026' : text;
}

function counted(number, what) { return `${number} ${what}${number === 1 ? '' : 's'}`; }
function byteText(bytes) { return withPrefix(bytes, 'B'); }

// ---- what the tasks are ----

const totalTime = tasks.reduce((sum, task) => sum + (task.time ?? 0) * task.calls, 0);
const longestTime = tasks.reduce((most, task) => Math.max(most, task.time ?? 0), 0);
for (const task of tasks) {
  task.share = totalTime > 0 && task.time !== null ? task.time * task.calls / totalTime : null;
  task.intensity = task.flops > 0 && task.bytes > 0 ? task.flops / task.bytes : null;
  task.rate = task.flops > 0 && task.time > 0 ? task.flops / task.time / clock.flopsPerUnit : null;
  task.ofRoof = task.intensity !== null && task.rate !== null ? task.rate / Math.min(clock.flops, clock.bytes * task.intensity) : null;
  task.nodes = [];
}
for (const step of steps)
  if (step.task >= 0 && step.nodes)
    tasks[step.task].nodes.push(step.nodes);
for (const task of tasks)
  task.searched = [task.name, task.key, task.from, ...task.nodes, ...task.schedule, ...task.compute].join('\n').toLowerCase();

function writeSummary() {
  const sum = of => tasks.reduce((total, task) => total + of(task) * task.calls, 0);
  const calls = sum(() => 1);
  document.getElementById('summary').textContent = `${counted(tasks.length, 'task')}, ${counted(calls, 'call')}, ${withPrefix(sum(task => Math.max(0, task.flops)), 'FLOP')}, ` +
    `${byteText(sum(task => Math.max(0, task.bytes)))} read and written` + (totalTime > 0 ? `, ${timeText(totalTime)} (${clock.measured ? 'measured' : 'estimated'})` : '') +
    `; arena ${byteText(arena.bytes)}.`;
}

// ---- graph ----

const views = tasks.map(() => []); // the elements of each task, which are shown as chosen and as not found
const edges = [];

function makeBoxes() {
  const read = new Set(steps.flatMap(step => step.sources.filter(source => source < 0)));
  const inputs = data.inputs.map((name, number) => number).filter(number => read.has(-1 - number));
  const places = new Map(inputs.map((number, index) => [-1 - number, index]));
  steps.forEach((step, number) => places.set(number, inputs.length + number));
  const boxes = inputs.map(number => ({name: data.inputs[number], nodes: 'input', time: '', task: -1, sources: []}));
  steps.forEach((step, number) => {
    const task = tasks[step.task], isEnd = step.name === 'return';
    boxes.push({name: isEnd ? (number === steps.length - 1 ? 'outputs' : 'end of the round') : step.name, nodes: step.nodes, task: step.task,
                time: task ? timeText(task.time) + (task.share > 0 ? `, ${percent(task.time / totalTime)}` : '') : '',
                sources: step.sources.map(source => places.get(source))});
  });
  for (const box of boxes)
    box.width = Math.min(250, Math.max(90, 7.4 * box.name.length + 16, 5.9 * Math.min(box.nodes.length, 38) + 16, 6.4 * box.time.length + 16));
  return boxes;
}

function drawBox(svg, box) {
  const task = tasks[box.task], group = add(svg, 'g', {class: task ? 'box' : 'box plain', transform: `translate(${box.x.toFixed(1)},${box.y})`});
  add(group, 'title', {}, [box.name, box.nodes, box.time].filter(text => text).join('\n'));
  const rect = add(group, 'rect', {x: -box.width / 2, y: 0, width: box.width, height: boxHeight, rx: 5});
  if (task) {
    const part = longestTime > 0 ? Math.sqrt((task.time ?? 0) / longestTime) : 0;
    rect.style.fill = `color-mix(in srgb, var(--mark) ${Math.round(5 + 45 * part)}%, var(--back))`;
    views[box.task].push(group);
    group.addEventListener('click', () => choose(box.task));
  }
  add(group, 'text', {class: 'name', y: box.time ? 16 : 21}, shortened(box.name, Math.floor((box.width - 12) / 7)));
  add(group, 'text', {class: 'nodes', y: box.time ? 30 : 37}, shortened(box.nodes, Math.floor((box.width - 8) / 5.9)));
  add(group, 'text', {y: 44}, box.time);
}

function drawGraph() {
  const boxes = makeBoxes(), layout = layOutGraph(boxes, boxHeight), place = document.getElementById('graph');
  const whole = () => place.clientWidth > 20 ? (place.clientWidth - 20) / layout.width : 1;
  let scale = Math.max(0.4, Math.min(1, whole())); // asked before there is much to lay out
  const svg = add(place, 'svg', {viewBox: `0 0 ${layout.width.toFixed(0)} ${layout.height}`, role: 'img', 'aria-label': 'tasks and what they read'});
  for (const line of layout.lines) {
    const middle = (line.y + line.toY) / 2, from = line.x.toFixed(1), to = line.toX.toFixed(1);
    edges.push({...line, path: add(svg, 'path', {class: 'edge', d: `M${from},${line.y}C${from},${middle} ${to},${middle} ${to},${line.toY}V${line.end}`})});
  }
  layout.stubs.forEach(({source, target}, number) => {
    const box = boxes[target], x = box.x - box.width / 2 + 8 + number % 5 * 8;
    const path = add(svg, 'path', {class: 'edge far', d: `M${x.toFixed(1)},${box.y - 18}V${box.y}`});
    add(path, 'title', {}, `from ${boxes[source].name} ${boxes[source].nodes}, far above`);
    edges.push({source, target, path});
  });
  for (const edge of edges)
    edge.tasks = [boxes[edge.source].task, edge.target >= 0 ? boxes[edge.target].task : -1];
  for (const box of boxes)
    drawBox(svg, box);
  const zoom = to => {
    scale = Math.max(0.02, Math.min(4, to));
    svg.style.width = `${layout.width * scale}px`;
    svg.style.height = `${layout.height * scale}px`;
  };
  zoom(scale);
  document.getElementById('smaller').addEventListener('click', () => zoom(scale / 1.3));
  document.getElementById('larger').addEventListener('click', () => zoom(scale * 1.3));
  document.getElementById('whole').addEventListener('click', () => zoom(whole()));
}

// ---- table ----

const columns = [
  ['task', task => task.name, task => task.name], ['calls', task => task.calls, task => task.calls], ['time', task => task.time, task => timeText(task.time)],
  ['of all time', task => task.share, task => percent(task.share)], ['FLOP', task => task.flops, task => withPrefix(task.flops, '')],
  ['bytes', task => task.bytes, task => byteText(task.bytes)], ['FLOP/byte', task => task.intensity, task => rounded(task.intensity)],
  [clock.rate, task => task.rate, task => rounded(task.rate)], ['of roof', task => task.ofRoof, task => `${Math.round(100 * task.ofRoof)} %`],
  ['weights', task => task.weights, task => byteText(task.weights)], ['arena in use', task => task.alive, task => byteText(task.alive)],
];
const rows = [];

function isMissing(value) { return value === null || value === undefined || value < 0; }

function sortRows(table, column, isDescending) {
  const value = columns[column][1];
  rows.sort((a, b) => {
    const x = value(tasks[a.task]), y = value(tasks[b.task]);
    if (isMissing(x) || isMissing(y))
      return isMissing(x) - isMissing(y);
    return (x < y ? -1 : x > y ? 1 : 0) * (isDescending ? -1 : 1) || a.task - b.task;
  });
  rows.forEach(({row}) => table.tBodies[0].appendChild(row));
}

function drawTable() {
  const table = document.getElementById('tasks'), head = add(add(table, 'thead'), 'tr'), body = add(table, 'tbody');
  columns.forEach(([title], number) => add(head, 'th', {tabindex: 0}, title).addEventListener('click', event => {
    const isDescending = event.target.getAttribute('aria-sort') ? event.target.getAttribute('aria-sort') === 'ascending' : number > 0;
    for (const cell of head.cells)
      cell.removeAttribute('aria-sort');
    event.target.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
    sortRows(table, number, isDescending);
  }));
  head.addEventListener('keydown', event => event.key === 'Enter' && event.target.click());
  tasks.forEach((task, number) => {
    const row = add(body, 'tr');
    for (const [, value, text] of columns)
      add(row, 'td', {}, isMissing(value(task)) ? '-' : text(task));
    row.cells[0].title = [task.name, ...task.nodes].join('\n');
    row.addEventListener('click', () => choose(number));
    rows.push({row, task: number});
    views[number].push(row);
  });
}

// ---- one task ----

let chosen = -1;
function choose(number) {
  if (chosen >= 0)
    views[chosen].forEach(view => view.classList.remove('chosen'));
  chosen = number;
  views[number].forEach(view => view.classList.add('chosen'));
  for (const edge of edges)
    edge.path.classList.toggle('chosen', edge.tasks.includes(number));
  views[number].find(view => view.matches('.box'))?.scrollIntoView({block: 'nearest', inline: 'nearest'});
  const task = tasks[number], place = document.getElementById('detail');
  place.replaceChildren();
  add(place, 'h3', {}, task.name);
  add(place, 'p', {class: 'key'}, `key ${task.key}; ${counted(task.calls, 'call')}; ${timeText(task.time)} each` +
    (isMissing(task.flops) ? '' : `; ${withPrefix(task.flops, 'FLOP')}`) + (isMissing(task.bytes) ? '' : `, ${byteText(task.bytes)}`) +
    (task.ofRoof === null ? '' : `; ${rounded(task.rate)} ${clock.rate}, ${Math.round(100 * task.ofRoof)} % of the roof at ${rounded(task.intensity)} FLOP/byte`));
  if (task.nodes.length > 0)
    add(place, 'p', {}, `ONNX nodes: ${task.nodes.join('; ')}`);
  add(place, 'pre', {}, [...task.inputs, ...task.compute.map(line => '  ' + line), `-> ${task.outputs}`].join('\n'));
  add(place, 'p', {}, `Schedule: ${task.from}`);
  if (task.loops.length > 0)
    add(place, 'pre', {}, task.loops.join('\n'));
  if (task.schedule.length > 0) {
    const details = add(place, 'details');
    add(details, 'summary', {}, 'as steps');
    add(details, 'pre', {}, task.schedule.join('\n'));
  }
}

// ---- search ----

const field = document.getElementById('search');
function search(text) {
  const words = text.toLowerCase().split(/\s+/).filter(word => word);
  let found = 0;
  tasks.forEach((task, number) => {
    const isFound = words.every(word => task.searched.includes(word));
    found += isFound;
    for (const view of views[number])
      view.matches('tr') ? view.hidden = !isFound : view.classList.toggle('dim', !isFound);
  });
  document.querySelectorAll('.box.plain').forEach(box => box.classList.toggle('dim', words.length > 0));
  document.getElementById('found').textContent = words.length > 0 ? `${found} of ${tasks.length} tasks` : '';
}

function searchAsAddressed() {
  const text = new URLSearchParams(location.hash.slice(1)).get('search') ?? '';
  if (text !== field.value)
    field.value = text;
  search(text);
}

writeSummary();
drawGraph();
drawTable();
drawRoofline();
drawArena();
field.addEventListener('input', () => {
  history.replaceState(null, '', field.value ? `#search=${encodeURIComponent(field.value)}` : '#');
  search(field.value);
});
window.addEventListener('hashchange', searchAsAddressed);
searchAsAddressed();
