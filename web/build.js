import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import { build, defaultClientConditions, runnerImport } from 'vite';
import { apiDocsPage } from './api-docs.js';
import { BROWSERS } from './browsers.js';
import { closureOf } from './budgets.js';
import { checkFirstScript } from './first-script.js';
import { prepareFonts } from './fonts.js';
import { appLinks, manifestFile, manifestOf } from './manifest.js';
import { precompressFolder } from './precompress.js';
import { withStylePolicy, withStyleSources } from './style-policy.js';

/** Builds the client, the gateway's rendering bundle, and a page for each route and language. */
const root = import.meta.dirname;
const dist = path.join(root, 'dist');

const {
  module: { INFO_PAGES },
} = await runnerImport(path.join(root, 'src/lib/info-pages.ts'), { configFile: false });

/** Pages that are the same for everyone, and the modules with their code and texts. */
const RENDERED = [
  { route: '/', file: 'index', modules: ['visitor/home/HomePage.tsx'], texts: ['home'] },
  { route: '/auth', file: 'auth', modules: ['visitor/auth/AuthPage.tsx'], texts: ['auth', 'ownErrors'] },
  {
    route: '/auth?tab=login',
    file: 'auth.login',
    modules: ['visitor/auth/AuthPage.tsx'],
    texts: ['auth', 'ownErrors'],
  },
  ...Object.entries(INFO_PAGES).map(([file, texts]) => ({
    route: `/${file}`,
    file,
    modules: ['visitor/info/pages.tsx'],
    texts: [texts],
  })),
  { route: '/404', file: '404', modules: ['visitor/not-found/NotFoundPage.tsx'], texts: ['notFound'] },
];

/** A page whose address is a secret. */
const SECRET = 'r/_';

/** Main fonts of each language. */
const FONTS = {
  ar: [/tajawal-arabic-(400|800)-.*\.woff2$/, /(tajawal-marks|najwa-digits)-.*\.woff2$/],
  en: [/inter-basic-.*\.woff2$/],
};

/** Fonts of Arabic words on English pages. */
const ARABIC_FONTS = { name: /tajawal-arabic-800-.*\.woff2$/, texts: /tajawal-arabic-400-.*\.woff2$/ };

const DIRECTIONS = { ar: 'rtl', en: 'ltr' };

await checkFirstScript();
await prepareFonts();
const client = await build({ root });
const {
  output: [bundle],
} = await build({
  root,
  define: { 'process.env.NODE_ENV': '"production"' },
  build: { ssr: 'src/server.tsx', write: false, minify: true },
});

// One file at a fixed address: browsers look for updates there, and not all load a worker's modules.
await build({
  root,
  configFile: false,
  publicDir: false,
  resolve: { conditions: ['najwa-source', ...defaultClientConditions] },
  build: {
    target: BROWSERS,
    emptyOutDir: false,
    rolldownOptions: {
      input: path.join(root, 'src/worker/main.ts'),
      output: { format: 'iife', entryFileNames: 'sw.js', codeSplitting: false },
    },
  },
});

/** @type {{ exports: any }} */
const server = { exports: {} };
compileFunction(bundle.code, ['module', 'exports', 'require'])(server, server.exports, createRequire(import.meta.url));

const minified = (styles) =>
  styles
    .join('')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(': ', ':');
const styleElement = (styles) => `<style>${minified(styles)}</style>`;

/** Needed before the first paint. */
const { pageStyles, colours } = server.exports;
const fileStyles = client.output.filter(({ fileName }) => fileName.endsWith('.css')).map(({ source }) => source);

const built = await readFile(path.join(dist, 'index.html'), 'utf8');
await rm(path.join(dist, 'index.html'));
const MAIN = /<script type="module"[^>]* src="([^"]+)"><\/script>/;
const [, main] = MAIN.exec(built);
const SHEET = /<link rel="stylesheet"[^>]*>/;
const template = built.replace(SHEET, () => styleElement([pageStyles, ...fileStyles]));
// Browsers send a document's address as referrer for what its styles request, despite its policy. A style sheet's
// requests send the sheet's address.
const secretTemplate = built.replace(SHEET, (link) => link + styleElement([pageStyles]));

/** Pages that work without scripts need no notice. */
const WITHOUT_SCRIPTS = `<noscript>${styleElement([server.exports.withoutScripts()])}</noscript>`;

const chunks = new Map(client.output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]));

const escape = (text) => text.replace(/[&<"]/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Texts for scripts that do not run or do not arrive (before-paint.js).
 * @param without what works without scripts: everything, what the gateway renders of an account, or nothing
 */
function startNotices(language, without) {
  const { failed, reload, noScripts, own, ownPage, logOut } = server.exports.describeStart(language);
  const link = `<a href="">${escape(reload)}</a>`;
  const notice = (text) => `<noscript><p class="start-notice">${escape(text)} ${link}</p></noscript>`;
  const notices = {
    plain: [],
    rendered: [`<!--unrendered ${notice(failed)}-->`],
    own: [
      `<noscript><form class="start-notice" method="post" action="/sign-out"><p>${escape(own)}</p>`,
      `${link} <a href="/own-page">${escape(ownPage)}</a> <button>${escape(logOut)}</button></form></noscript>`,
    ],
    nothing: [notice(noScripts)],
  }[without];
  return [
    ...notices,
    // Filled later: text browsers show what is hidden.
    `<p id="stalled" class="start-notice" role="alert" data-text="${escape(failed)}" data-reload="${escape(reload)}" hidden></p>`,
  ].join('');
}

const preloadsOf = (pattern) =>
  client.output
    .filter(({ fileName }) => pattern.test(fileName))
    .map(({ fileName }) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${fileName}" />\n    `)
    .join('');

/**
 * The HTML of a language, with the scripts for before-paint.js to run and to preload.
 * @param options.without see startNotices
 */
function shellOf(language, modules, texts, { from = template, without = 'nothing' } = {}) {
  const late = closureOf(
    chunks,
    [
      ...modules,
      ...['first/index.ts', 'site.json', ...texts.map((name) => `${name}.json`)].map(
        (file) => `i18n/locales/${language}/${file}`,
      ),
    ].map((name) => `src/${name}`),
  );
  const isLarge = (file) => /\/(vendor|visitor)-/.test(file);
  const run = [...late.filter(isLarge).toSorted(), main.slice(1)];
  const scripts = { run, load: late.filter((file) => !run.includes(file)) };
  return from
    .replace('<!--start-notices-->', () => startNotices(language, without))
    .replace('<html lang="ar" dir="rtl">', `<html lang="${language}" dir="${DIRECTIONS[language]}">`)
    .replace(MAIN, () => `<script type="application/json" id="scripts">${JSON.stringify(scripts)}</script>`)
    .replace(
      '<!--head-->',
      () =>
        `<!--head-->${['plain', 'rendered'].includes(without) ? WITHOUT_SCRIPTS : ''}${FONTS[language].map(preloadsOf).join('')}${appLinks(language, colours)}`,
    );
}

function tagsOf({ title, description }) {
  return [
    `<title>${escape(title)}</title>`,
    `<meta name="description" content="${escape(description)}" />`,
    `<meta property="og:title" content="${escape(title)}" />`,
    `<meta property="og:description" content="${escape(description)}" />`,
    '<meta property="og:type" content="website" />',
  ];
}

const NOT_LISTED = '<meta name="robots" content="noindex" />';

async function writePage(language, file, html) {
  const target = path.join(dist, 'pages', language, `${file}.html`);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, withStylePolicy(html));
}

for (const [language, dir] of Object.entries(DIRECTIONS)) {
  const { title: name, description } = server.exports.describeRoute(language, '');
  const manifest = manifestOf({ language, dir, name, description, colours: colours.light });
  await writeFile(path.join(dist, manifestFile(language)), JSON.stringify(manifest));
}

/** Pages that need data: all other routes. Those that differ in a parameter share a file. */
const unrendered = server.exports.routePaths
  .filter((route) => !RENDERED.some((rendered) => rendered.route === route))
  .map((route) => route.slice(1).replace(/:\w+/, '_'))
  .filter((file) => file !== SECRET);

/** Fonts that the gateway preloads on a page with such letters (services/gateway/src/rendering/html.ts). */
const arabicFonts = Object.entries(ARABIC_FONTS).map(([of, pattern]) => `<!--arabic-${of} ${preloadsOf(pattern)}-->`);

const { module: contract } = await runnerImport(path.join(root, '../proto/src/http/openapi.ts'), { configFile: false });
const apiDocs = apiDocsPage(contract.createOpenApiDocument(), minified([pageStyles, ...fileStyles]));
const shells = {};
const secretShells = {};
const signInShells = {};
const renderedAt = Date.now();
for (const language of Object.keys(DIRECTIONS)) {
  shells[language] = withStyleSources(
    shellOf(language, ['shell/PublicRoot.tsx', 'shell/layout/frame.ts', 'visitor/public-page/late.ts'], [], {
      without: 'rendered',
    }).replace('<!--head-->', (head) => (language === 'en' ? head + arabicFonts.join('') : head)),
  );
  for (const { route, file, modules, texts } of RENDERED) {
    const { body, styles } = await server.exports.renderRoute(language, route, renderedAt);
    const tags = tagsOf(server.exports.describeRoute(language, route));
    const head = [...tags, ...(file === '404' ? [NOT_LISTED] : []), styles].join('\n    ');
    const html = shellOf(language, ['shell/router.tsx', 'shell/layout/frame.ts', ...modules], texts, {
      without: 'plain',
    })
      .replace('<!--head-->', () => head)
      .replace(
        '<div id="root"><!--body--></div>',
        () => `<div id="root" data-rendered="${renderedAt}"${file === '404' ? ' data-missing' : ''}>${body}</div>`,
      );
    await writePage(language, file, html);
  }
  const tags = tagsOf(server.exports.describeRoute(language, ''));
  const emptyPage = (shell) =>
    shell.replace('<!--head-->', () => [...tags, NOT_LISTED].join('\n    ')).replace('<!--body-->', '');
  for (const file of unrendered) {
    const without = server.exports.ownPaths.includes(`/${file}`) ? 'own' : 'nothing';
    await writePage(language, file, emptyPage(shellOf(language, [], [], { without })));
  }
  await writePage(language, 'api/docs', apiDocs);
  const secret = ['shell/router.tsx', 'shell/layout/frame.ts', 'visitor/way-back/WayBackPage.tsx'];
  await writePage(language, SECRET, emptyPage(shellOf(language, [], [], { from: secretTemplate })));
  // The gateway adds the title.
  signInShells[language] = withStyleSources(
    shellOf(
      language,
      ['shell/router.tsx', 'shell/layout/frame.ts', 'visitor/auth/AuthPage.tsx'],
      ['auth', 'ownErrors', 'access'],
      { without: 'plain' },
    ).replace('<!--head-->', (head) => NOT_LISTED + head),
  );
  secretShells[language] = withStyleSources(
    shellOf(language, secret, ['wayBack'], { from: secretTemplate, without: 'plain' }).replace(
      '<!--head-->',
      (head) => [...tags, NOT_LISTED].join('\n    ') + head,
    ),
  );
}

// One file: a page is always rendered by the build whose scripts it names.
const version = createHash('sha256')
  .update(JSON.stringify([shells, secretShells, signInShells]))
  .update(bundle.code)
  .digest('base64url')
  .slice(0, 16);
await mkdir(path.join(dist, 'server'), { recursive: true });
await writeFile(
  path.join(dist, 'server/render.json'),
  JSON.stringify({
    version,
    shells,
    secretShells,
    signInShells,
    tracking: process.env.TRACKING || undefined,
    code: bundle.code,
  }),
);

await precompressFolder(dist);
