import { readFileSync } from 'node:fs';

/** Drawn by icons.js, by side in pixels. */
export const ICONS = [
  { file: 'icons/192.png', side: 192, purpose: 'any' },
  { file: 'icons/512.png', side: 512, purpose: 'any' },
  { file: 'icons/maskable-192.png', side: 192, purpose: 'maskable' },
  { file: 'icons/maskable-512.png', side: 512, purpose: 'maskable' },
];
/** For browsers without SVG tab icons, such as Safari. */
export const TAB_ICON = { file: 'icons/32.png', side: 32 };
/** The same, where programs look that read no page. */
export const OLD_ICON = 'favicon.ico';
/** iOS rounds its corners and looks here first. */
export const APPLE_ICON = { file: 'apple-touch-icon.png', side: 180 };

export const MARK = readFileSync(new URL('./public/favicon.svg', import.meta.url), 'utf8');

/** Arabic is the original, so it has the plain name. */
export const manifestFile = (language) =>
  language === 'ar' ? 'manifest.webmanifest' : `manifest.${language}.webmanifest`;

/**
 * Both languages share an id, so they are one app.
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

/** After the SVG, which browsers prefer. */
export const ICON_LINKS = [
  `<link rel="icon" href="/${TAB_ICON.file}" type="image/png" sizes="32x32" />`,
  `<link rel="icon" href="/${OLD_ICON}" sizes="32x32" />`,
  `<link rel="apple-touch-icon" href="/${APPLE_ICON.file}" />`,
];

export const appLinks = (language, { light, dark }) =>
  [
    `<link rel="manifest" href="/${manifestFile(language)}" />`,
    ...ICON_LINKS,
    `<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light.paper}" />`,
    `<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark.paper}" />`,
  ]
    .map((element) => `${element}\n    `)
    .join('');
