import { gzipSync } from 'node:zlib';

/** Bytes after gzip. The first matching pattern counts. */
const FILES = [
  [/^assets\/vendor-.*\.js$/, 73_000],
  [/^assets\/store-.*\.js$/, 27_000],
  [/^assets\/visitor-.*\.js$/, 22_000],
  /** The owner's list. */
  [/^assets\/inbox-.*\.js$/, 27_000],
  /** Voice alteration with its model, in a worker loaded by the recorder. */
  [/^assets\/voice-worker-.*\.js$/, 60_000],
  [/\.js$/, 17_000],
  /** Inlined: the fonts with what stands in for them. */
  [/\.css$/, 1_170],
];

/** All scripts to write and send on a public page, with one language's texts. */
const VISITOR_SCRIPTS = 96_900;
const VISITOR_MODULES = ['src/main.tsx', 'src/shell/PublicRoot.tsx', 'src/i18n/locales/ar/first/index.ts'];

const gzipSize = (code) => gzipSync(code, { level: 9 }).length;

/**
 * The chunks with the modules, or their dynamic entries, and all their static imports.
 * @param {Map<string, any>} chunks by file name
 * @param {string[]} modules below web
 */
export function closureOf(chunks, modules) {
  return withImports(
    chunks,
    modules.flatMap((module) => {
      const isModule = (id) => id?.endsWith(`/web/${module}`) === true;
      const holding = [...chunks.values()].filter(
        ({ moduleIds, facadeModuleId }) => moduleIds.some(isModule) || isModule(facadeModuleId),
      );
      if (holding.length === 0) throw new Error(`No chunk has ${module}.`);
      return holding.map(({ fileName }) => fileName);
    }),
  );
}

/** Chunks with all their static imports, by file name. */
export function withImports(chunks, names) {
  const found = new Set();
  const add = (name) => {
    if (found.has(name)) return;
    found.add(name);
    for (const imported of chunks.get(name).imports) add(imported);
  };
  for (const name of names) add(name);
  return [...found];
}

/** Fails the build above a budget. */
export function budgets() {
  return {
    name: 'budgets',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    generateBundle(_options, bundle) {
      const files = Object.values(bundle);
      const faults = [];
      for (const file of files) {
        const [, limit] = FILES.find(([pattern]) => pattern.test(file.fileName)) ?? [];
        const size = limit === undefined ? 0 : gzipSize(file.code ?? file.source);
        if (size > limit) faults.push(`${file.fileName} has ${size} bytes after gzip, above its budget of ${limit}.`);
      }
      const chunks = new Map(files.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]));
      const needed = closureOf(chunks, VISITOR_MODULES);
      const total = needed.reduce((sum, name) => sum + gzipSize(chunks.get(name).code), 0);
      this.info(`A visitor loads ${total} bytes of scripts after gzip (${needed.length} files).`);
      if (total > VISITOR_SCRIPTS)
        faults.push(`A visitor loads ${total} bytes of scripts after gzip, above the budget of ${VISITOR_SCRIPTS}.`);
      if (faults.length > 0) this.error(faults.join('\n'));
    },
  };
}
