import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(import.meta.dirname, '../../..');
/** Holds `faults.json`, lines of faults by file. Each suite adds a file with those it ran. */
const folder = process.env.NAJWA_FAULT_COVERAGE;

/** Offsets in compiled code, by fault. */
function placesOf(code, map, linesOf) {
  const [source] = map.sources;
  const file = path.relative(root, source.startsWith('file:') ? fileURLToPath(source) : source);
  const faults = linesOf[file] ?? [];
  if (faults.length === 0) return [];
  const sourceMap = new SourceMap(map);
  const places = [];
  let offset = 0;
  for (const [number, text] of code.split('\n').entries()) {
    for (const { index } of text.matchAll(/\b\w|[({[]/g)) {
      const line = sourceMap.findEntry(number, index).originalLine + 1;
      for (const fault of faults) if (fault.line === line) places.push({ key: fault.key, offset: offset + index });
    }
    offset += text.length + 1;
  }
  return places;
}

function placesIn(file, code, mapFile) {
  if (!existsSync(mapFile)) return [];
  const map = JSON.parse(readFileSync(mapFile, 'utf8'));
  map.sources = map.sources.map((source) => path.resolve(path.dirname(file), source));
  return placesOf(code, map, linesOf);
}

/** Jest's cache has a checksum in the first line. */
const withoutChecksum = (text) => text.slice(text.indexOf('\n') + 1);

/** In Jest's cache, by the path of the map. */
function placesInCache(file, mapFile) {
  if (!compiled.has(mapFile)) {
    const code = withoutChecksum(readFileSync(mapFile.replace(/\.map$/, ''), 'utf8'));
    compiled.set(mapFile, placesIn(file, code, mapFile));
  }
  return compiled.get(mapFile);
}

const isWithin = (offset, { startOffset, endOffset }) => startOffset <= offset && offset < endOffset;

/** The narrowest range around a place. Code outside functions ran at load. */
function hasRun(offset, functions) {
  const around = functions.filter(({ ranges }) => isWithin(offset, ranges[0]));
  const [narrowest] = around.sort(
    (a, b) => a.ranges[0].endOffset - a.ranges[0].startOffset - (b.ranges[0].endOffset - b.ranges[0].startOffset),
  );
  if (narrowest === undefined || (narrowest.functionName === '' && narrowest.ranges[0].startOffset === 0)) return true;
  const ranges = narrowest.ranges.filter((range) => isWithin(offset, range));
  return ranges.reduce((a, b) => (b.endOffset - b.startOffset <= a.endOffset - a.startOffset ? b : a)).count > 0;
}

async function openSession() {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return session;
}

const session = folder === undefined ? undefined : await openSession();
const linesOf = folder === undefined ? {} : JSON.parse(readFileSync(path.join(folder, 'faults.json'), 'utf8'));
const compiled = new Map();
/** Scripts of Node.js stay loaded for all suites of a process; with V8's first report. */
const lasting = new Map();

/** V8 omits functions that did not run since, within functions that did not run either. */
const missingIn = (functions, first) => {
  const starts = new Set(functions.map(({ ranges }) => ranges[0].startOffset));
  return first
    .filter(({ ranges }) => !starts.has(ranges[0].startOffset))
    .map(({ functionName, ranges: [whole] }) => ({ functionName, ranges: [{ ...whole, count: 0 }] }));
};

export async function noteFaults(suite, runtime, hasPassed) {
  if (session === undefined) return;
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const maps = runtime.getSourceMaps();
  const keys = new Set();
  const note = (places, functions) => {
    for (const { key, offset } of places) if (hasRun(offset, functions)) keys.add(key);
  };
  for (const { url, functions } of result) {
    const file = url.startsWith('file:') ? fileURLToPath(url) : url;
    const mapFile = maps.get(file);
    if (mapFile !== undefined) note(placesInCache(file, mapFile), functions);
    else if (/\/dist\/.+\.js$/.test(file) && file.startsWith(root)) {
      if (!lasting.has(file))
        lasting.set(file, { places: placesIn(file, readFileSync(file, 'utf8'), `${file}.map`), first: functions });
      const { places, first } = lasting.get(file);
      note(places, [...functions, ...missingIn(functions, first)]);
    }
  }
  const name = `${path.relative(root, suite).replaceAll('/', '+')}.json`;
  if (hasPassed) writeFileSync(path.join(folder, name), JSON.stringify([...keys]));
}
