import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defaultServerConditions, defineConfig } from 'vite';
import { BROWSERS } from './browsers.js';
import { budgets } from './budgets.js';
import { callRoutes } from './call-routes.js';
import { compileStyles } from './compile-styles.js';
import { inlineFirstScript } from './first-script.js';

const gateway = `http://localhost:${process.env.PORT ?? 8080}`;

/** Reading and writing on a public page, in two files: small ones compress badly. */
const groups = [
  {
    name: 'vendor',
    test: /node_modules\/(react|react-dom|scheduler|react-redux|use-sync-external-store|styled-components|stylis|@emotion|@radix-ui\/react-direction)\/|lib\/libraries\/prefixer\./,
    priority: 2,
  },
  /** Not needed by a visitor's first page. */
  {
    name: 'store',
    test: /node_modules\/(@reduxjs|redux|redux-thunk|immer|reselect)\/|src\/api\/(api|paging)\.|src\/(visitor\/(after-send|public-page\/(api|QueriedPage))|shared\/session\/(api|session))\./,
    priority: 0,
  },
  /** Apart from the inbox, whose file would be too large. */
  {
    name: 'list',
    test: /node_modules\/@tanstack\/|owner\/inbox\/(EntryList|filters|times|use-keep-focus|use-near-edge|use-selection|use-stable-calls|use-swipe)\./,
    priority: 0,
  },
  { name: 'texts-ar', test: /locales\/ar\/(common|publicPage|player)\.json$/, priority: 3 },
  { name: 'texts-en', test: /locales\/en\/(common|publicPage|player)\.json$/, priority: 3 },
  {
    name: 'late',
    test: /(src\/shell\/layout\/(?!Layout|AccountMenu|PhoneMenu)|src\/ui\/(Avatar|Badge|Callout|Counts|FoldedText|Logo|NoticePage|PremiumBanner|Skeleton|UserText)\.|src\/(owner\/chat\/ChatWidget|visitor\/public-page\/(AskedQuestion|BioCard|FormFoot|ProfileCard|WhoSees)|shared\/(message\/message-parts|session\/types))|lucide-react\/dist\/esm\/icons\/(languages|menu|crown|gem|badge-check|maximize-2|eye-off|shield|users|user-round|chevron-down)\.)/,
    priority: 0,
  },
  {
    name: 'visitor',
    test: /(lucide-react\/dist\/esm\/(?!icons)|lucide-react\/dist\/esm\/icons\/(send-horizontal|dices|image|mic|plus|smile|x)\.|proto\/src\/http\/(asked|client|errors|limits|request|routes|services|text)\.|src\/(theme\/(?!bars|tokens|page-styles)|lib\/(add-way|libraries\/lucide-icon|on-demand|text|media|submission-key|http))|src\/i18n\/(?!locales)|src\/api\/(?!api\.|paging)|src\/shell\/(?!router|repeat-input|CrashNotice|RouterNavigation|layout\/(?!Layout))|src\/ui\/(navigation|Button|button-style|Card|CounterRing|Glyph|Icon|IconButtonBase|ImageInput|layout|MessageShape|PageLoading|StatusDot|ToastProvider|toast-context)\.|src\/visitor\/(use-submission|public-page\/(index|Composer|ComposerTools|OwnerPage|PublicPage|composer-parts|use-draft|use-quiet-question|use-voice-mode))\.)/,
    priority: 1,
  },
];

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

export default defineConfig(({ isSsrBuild }) => ({
  define: { SITE: JSON.stringify(site) },
  plugins: [
    replacedFiles(),
    callRoutes(),
    compileStyles(),
    react(),
    budgets(),
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
        : { codeSplitting: { groups }, postBanner: compiledEarly },
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
