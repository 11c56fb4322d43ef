export const zIndexes = {
  header: 30,
  menu: 40,
  assistant: 45,
  dialog: 50,
  chat: 60,
  toast: 70,
} as const;

export const PHONE = '(max-width: 767px)';
/** Stacked columns: phones and upright tablets. */
export const STACKED = '(max-width: 960px)';
/** A list and a reading pane have room side by side. */
export const DESK = '(min-width: 1100px)';

const corner = (radius: string, tail: string) => `border-radius: ${radius}; border-end-start-radius: ${tail};`;

/** What custom properties cannot hold. */
export const theme = {
  zIndex: zIndexes,
  media: {
    phone: `@media ${PHONE}`,
    stacked: `@media ${STACKED}`,
    narrow: '@media (max-width: 1180px)',
  },
  /** Three round corners and a tail at the block end and inline start. */
  bubble: {
    badge: corner('9px', '3px'),
    small: corner('11px', '4px'),
    chip: corner('12px', '4px'),
    control: corner('14px', 'var(--tail)'),
    large: corner('18px', '6px'),
    photo: corner('16px', '5px'),
    card: corner('24px', '7px'),
    cardPhone: corner('22px', '7px'),
    dialog: corner('28px', '8px'),
    stage: corner('56px', '14px'),
  },
  font: {
    arabic: 'var(--arabic)',
    latin: 'var(--latin)',
    code: 'ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  },
} as const;

export type Theme = typeof theme;
