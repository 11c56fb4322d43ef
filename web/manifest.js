import { readFileSync } from 'node:fs';

/** Icons that icons.js draws from the mark, with their sides in pixels. */
export const ICONS = [
  { file: 'icons/192.png', side: 192, purpose: 'any' },
  { file: 'icons/512.png', side: 512, purpose: 'any' },
  { file: 'icons/maskable-192.png', side: 192, purpose: 'maskable' },
  { file: 'icons/maskable-512.png', side: 512, purpose: 'maskable' },
];
/** For the tabs of browsers that take no SVG, such as Safari's. */
export const TAB_ICON = { file: 'icons/32.png', side: 32 };
/** The same, at the address at which programs look that read no page. */
export const OLD_ICON = 'favicon.ico';
/** For the home screens of iOS, which cut its corners themselves, and look here first. */
export const APPLE_ICON = { file: 'apple-touch-icon.png', side: 180 };

/** The mark in its bubble. */
export const MARK = readFileSync(new URL('./public/favicon.svg', import.meta.url), 'utf8');

/** Arabic is the original, so its manifest has the plain name. */
export const manifestFile = (language) =>
  language === 'ar' ? 'manifest.webmanifest' : `manifest.${language}.webmanifest`;

/**
 * The web app manifest in a language. Both have one id, so they are one app, whose name follows the page's language.
 *
 * @param {{ language: string, dir: string, name: string, description: string, colours: Record<string, string> }} texts
 */
export const manifestOf = ({ language, dir, name, description, colours }) => ({
  id: '/',
  start_url: '/',
  scope: '/',
  lang: language,
  dir,
  name,
  short_name: name,
  description,
  display: 'standalone',
  background_color: colours.paper,
  theme_color: colours.paper,
  icons: [
    { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    ...ICONS.map(({ file, side, purpose }) => ({
      src: `/${file}`,
      sizes: `${side}x${side}`,
      type: 'image/png',
      purpose,
    })),
  ],
});

/** After the mark itself, which browsers prefer. */
export const ICON_LINKS = [
  `<link rel="icon" href="/${TAB_ICON.file}" type="image/png" sizes="32x32" />`,
  `<link rel="icon" href="/${OLD_ICON}" sizes="32x32" />`,
  `<link rel="apple-touch-icon" href="/${APPLE_ICON.file}" />`,
];

/** Elements for the head of every page. */
export const appLinks = (language, { light, dark }) =>
  [
    `<link rel="manifest" href="/${manifestFile(language)}" />`,
    ...ICON_LINKS,
    `<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light.paper}" />`,
    `<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark.paper}" />`,
  ]
    .map((element) => `${element}\n    `)
    .join('');
