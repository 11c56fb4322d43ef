type Tokens = Record<string, string>;

const constant = {
  tail: '5px',
  ease: 'cubic-bezier(0.2, 0.7, 0.2, 1)',
  'ease-drop': 'cubic-bezier(0.34, 1.4, 0.5, 1)',
  fast: '120ms',
  base: '180ms',
  wrap: '1136px',
  'on-violet': '#ffffff',
  'on-gold': '#16132a',
  'online-mark': '#27b583',
  'on-night': '#f6f3ff',
  'on-night-2': '#bcb6d3',
  'hero-bowl': '#6c47ff',
  'photo-tool': 'rgb(22 19 42 / 0.72)',
  viewer: 'rgb(8 6 18 / 0.9)',
  'premium-online': '#7fe0b6',
} satisfies Tokens;

const light = {
  paper: '#faf8f5',
  surface: '#ffffff',
  sunken: '#f2eee8',
  raised: '#ffffff',
  inverse: '#16132a',
  'on-inverse': '#faf8f5',
  ink: '#16132a',
  'ink-2': '#4b4763',
  'ink-3': '#68637f',
  line: '#e6e1d9',
  'line-strong': '#d5cec3',
  field: '#8b86a0',
  violet: '#6c47ff',
  'violet-hover': '#5b35f0',
  'violet-press': '#4a27d3',
  'violet-text': '#5b35f0',
  'violet-tint': '#ece7ff',
  'on-violet-tint': '#4f2bdb',
  rose: '#ff5c8a',
  'rose-strong': '#e5316a',
  'on-rose-strong': '#ffffff',
  'rose-text': '#b81d51',
  'rose-tint': '#ffe4ec',
  'on-rose-tint': '#a8164a',
  gold: '#f5b94a',
  'gold-text': '#7f5200',
  'gold-tint': '#fcebcb',
  'on-gold-tint': '#6e4600',
  mint: '#12875f',
  'mint-text': '#0b6b4b',
  'mint-tint': '#d9f2e7',
  'on-mint-tint': '#0b6047',
  danger: '#cf2a3f',
  'danger-hover': '#b3202f',
  'danger-text': '#b3202f',
  'danger-tint': '#fde3e3',
  'on-danger-tint': '#a31b2b',
  night: '#16132a',
  'night-2': '#221e3d',
  hero: '#fbe3bb',
  underline: '#f5b94a',
  panel: '#6c47ff',
  'tile-rose': '#ffe4ec',
  'tile-mint': '#d9f2e7',
  stars: '#b97a07',
  'tab-selected': '#ffffff',
  'avatar-0': '#ece7ff',
  'avatar-1': '#ffe4ec',
  'avatar-2': '#fcebcb',
  'avatar-3': '#d9f2e7',
  'avatar-4': '#6c47ff',
  'avatar-5': '#16132a',
  'shadow-1': '0 1px 2px rgb(22 19 42 / 0.05)',
  'shadow-2': '0 1px 2px rgb(22 19 42 / 0.05), 0 8px 24px -8px rgb(22 19 42 / 0.1)',
  'shadow-3': '0 2px 6px rgb(22 19 42 / 0.06), 0 24px 56px -16px rgb(22 19 42 / 0.22)',
  scrim: 'rgb(22 19 42 / 0.48)',
} satisfies Tokens;

const dark: Record<keyof typeof light, string> = {
  paper: '#110f20',
  surface: '#1b1830',
  sunken: '#0b0917',
  raised: '#252140',
  inverse: '#f4f1fb',
  'on-inverse': '#16132a',
  ink: '#f4f1fb',
  'ink-2': '#bcb6d3',
  'ink-3': '#9791b2',
  line: '#2f2a4b',
  'line-strong': '#3e3860',
  field: '#716b8f',
  violet: '#7250ff',
  'violet-hover': '#6641fb',
  'violet-press': '#5735dc',
  'violet-text': '#ae9bff',
  'violet-tint': '#2c2456',
  'on-violet-tint': '#c3b5ff',
  rose: '#ff6f98',
  'rose-strong': '#ff6f98',
  'on-rose-strong': '#16132a',
  'rose-text': '#ff8faf',
  'rose-tint': '#3d1a31',
  'on-rose-tint': '#ffa9c1',
  gold: '#f6c264',
  'gold-text': '#f8d08a',
  'gold-tint': '#38290f',
  'on-gold-tint': '#f8d08a',
  mint: '#5fd3a4',
  'mint-text': '#84e0ba',
  'mint-tint': '#10332a',
  'on-mint-tint': '#84e0ba',
  danger: '#d53a4e',
  'danger-hover': '#bd2c40',
  'danger-text': '#ff8d97',
  'danger-tint': '#421a24',
  'on-danger-tint': '#ffa3ab',
  night: '#1b1830',
  'night-2': '#252140',
  hero: '#231d45',
  underline: '#5b3de0',
  panel: '#5637db',
  'tile-rose': '#331a38',
  'tile-mint': '#152f3a',
  stars: '#f6c264',
  'tab-selected': '#252140',
  'avatar-0': 'color-mix(in srgb, var(--violet) 50%, var(--surface))',
  'avatar-1': 'color-mix(in srgb, var(--rose) 30%, var(--surface))',
  'avatar-2': 'color-mix(in srgb, var(--gold) 28%, var(--surface))',
  'avatar-3': 'color-mix(in srgb, var(--mint) 28%, var(--surface))',
  'avatar-4': '#7250ff',
  'avatar-5': '#252140',
  'shadow-1': '0 1px 2px rgb(0 0 0 / 0.4)',
  'shadow-2': '0 1px 2px rgb(0 0 0 / 0.4), 0 10px 28px -8px rgb(0 0 0 / 0.5)',
  'shadow-3': '0 2px 6px rgb(0 0 0 / 0.4), 0 28px 60px -16px rgb(0 0 0 / 0.7)',
  scrim: 'rgb(5 4 12 / 0.66)',
};

const declarations = (tokens: Tokens) =>
  Object.entries(tokens)
    .map(([name, value]) => `--${name}: ${value};`)
    .join('\n');

/** For what takes no CSS. */
export const colours = { light, dark };

export const lightTokens = declarations(light);

/** The scheme follows the system unless the root has `data-theme`. */
export const tokenStyles = `
  :root { color-scheme: light; ${declarations(constant)} ${declarations(light)} }
  @media (prefers-color-scheme: dark) {
    :root:not([data-theme='light']) { color-scheme: dark; ${declarations(dark)} }
  }
  :root[data-theme='dark'] { color-scheme: dark; ${declarations(dark)} }
`;

export const tokenNames: readonly string[] = [...Object.keys(constant), ...Object.keys(light), 'gutter'];
