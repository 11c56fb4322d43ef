import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defaultServerConditions, defineConfig } from 'vite';
import { BROWSERS } from './browsers.js';
import { budgets } from './budgets.js';
import { callRoutes } from './call-routes.js';
import { chunkGroups, PLANNING } from './chunks.js';
import { compileStyles } from './compile-styles.js';
import { inlineFirstScript } from './first-script.js';

const gateway = `http://localhost:${process.env.PORT ?? 8080}`;

const ours = (/** @type {string} */ name) => fileURLToPath(new URL(`src/lib/libraries/${name}.ts`, import.meta.url));

/** @type {[file: RegExp, replacement: string][]} */
const REPLACED = [
  [/^\0vite\/preload-helper\.js$/, `export * from '${ours('retried-import')}'`],
  [/\/stylis\/src\/Prefixer\.js$/, `export * from '${ours('prefixer')}'`],
  [/\/react-style-singleton\/.*\/singleton\.js$/, `export * from '${ours('scroll-lock')}'`],
  [/\/lucide-react\/dist\/esm\/createLucideIcon\.mjs$/, `export { default } from '${ours('lucide-icon')}'`],
];

/** Files of libraries that have too much for our pages. */
const replacedFiles = () => ({
  name: 'replaced-files',
  apply: /** @type {const} */ ('build'),
  enforce: /** @type {const} */ ('pre'),
  load: (/** @type {string} */ id) => REPLACED.find(([file]) => file.test(id))?.[1],
});

/** build.js inlines these in production. */
const pageStylesForDevelopment = () => ({
  name: 'page-styles-for-development',
  apply: /** @type {const} */ ('serve'),
  /** @type {import('vite').IndexHtmlTransformHook} */
  async transformIndexHtml(_html, { server }) {
    const { pageStyles } = await server.ssrLoadModule('/src/theme/page-styles.ts');
    return [{ tag: 'style', children: pageStyles, injectTo: 'head' }];
  },
});

/** V8 compiles these while they arrive, off the main thread. */
const compiledEarly = (/** @type {{ name: string }} */ { name }) =>
  /^(vendor|visitor)$/.test(name) ? '//# allFunctionsCalledOnLoad' : '';

/** Operator settings that pages state. */
const site = {
  tracking: process.env.TRACKING ?? '',
  trackingDays: process.env.TRACKING_RETENTION_DAYS ?? '',
  contact: process.env.CONTACT_ADDRESS ?? '',
  help: { ar: process.env.HELP_TEXT_AR ?? '', en: process.env.HELP_TEXT_EN ?? '' },
};

export default defineConfig(async ({ command, isSsrBuild, mode }) => ({
  define: { SITE: JSON.stringify(site) },
  plugins: [
    replacedFiles(),
    callRoutes(),
    compileStyles(),
    react(),
    mode !== PLANNING && budgets(),
    inlineFirstScript(),
    pageStylesForDevelopment(),
  ],
  json: { namedExports: false, stringify: false },
  resolve: { conditions: ['najwa-source', ...defaultClientConditions] },
  ssr: { noExternal: true, resolve: { conditions: ['najwa-source', ...defaultServerConditions] } },
  build: {
    target: BROWSERS,
    // before-paint.js preloads instead.
    modulePreload: false,
    // Inlined fonts would break under the content security policy and load for languages that never use them.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: isSsrBuild
        ? { format: 'cjs', codeSplitting: false }
        : {
            codeSplitting:
              command === 'build' && mode !== PLANNING
                ? { groups: await chunkGroups(import.meta.dirname), includeDependenciesRecursively: false }
                : true,
            postBanner: compiledEarly,
          },
      treeshake: {
        manualPureFunctions: [
          'styled',
          'css',
          'keyframes',
          'createGlobalStyle',
          'createContext',
          'lazy',
          'lazyPart',
          'optionalPart',
        ],
      },
    },
  },
  server: { proxy: { '/api': gateway, '/og': gateway, '/story': gateway, '/card': gateway, '/carpet': gateway } },
}));
