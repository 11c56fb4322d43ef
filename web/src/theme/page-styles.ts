import { theme } from './theme.js';
import { tokenStyles } from './tokens.js';

/** For pages whose scripts do not run. @param where prefix of each selector */
export const withoutScripts = (where = '') => `
  ${where}[data-scripts] { display: none !important; }
  ${where}[data-no-scripts] { display: block !important; }
  ${where}input[type='file'][name] { position: static; inline-size: auto; max-inline-size: 15rem; block-size: auto; clip-path: none; }
  ${where}time { visibility: visible !important; }
`;

/**
 * The sheet fills the window above the keyboard. The selectors avoid what lists are full of (`data-part`, `svg`): each
 * added element would be restyled.
 * @param root the page then
 */
const withKeyboard = (root: string) => {
  const writing = `${root}:has(#message-form :is(textarea, [type='submit']):focus)`;
  const sheet = `${writing} [aria-labelledby='composer-title']`;
  const form = `${writing} #message-form`;
  return `
    ${writing} :is([data-writing='away'], [data-writing='identity'], aside > [aria-haspopup='dialog']),
    ${sheet} > details { display: none; }
    ${sheet} {
      position: fixed;
      inset-inline: 0;
      inset-block-start: var(--shown-top, 0);
      block-size: var(--shown-height, 100dvh);
      z-index: ${theme.zIndex.header};
      display: flex;
      flex-direction: column;
      padding: 0 16px;
      border: 0;
      border-radius: 0;
    }
    /* Above the dip in the upper edge. */
    ${sheet} > header {
      position: relative;
      display: flex;
      gap: 10px;
      align-items: center;
      min-block-size: 48px;
      background: var(--surface);
    }
    ${sheet} > header h2 {
      min-inline-size: 0;
      padding: 0;
      font-size: 1.1875rem;
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    ${sheet} [data-writing='nameless'] { display: flex; margin: 0; }
    ${form} {
      flex: 1;
      display: flex;
      flex-direction: column;
      min-block-size: 0;
      overflow-y: auto;
      overscroll-behavior: contain;
      scroll-padding-block-end: 72px;
    }
    ${form} > textarea { flex: 1 0 auto; }
    ${form} > footer {
      position: sticky;
      inset-block-end: 0;
      margin: 0 -16px;
      padding: 6px 16px;
      border-block-start: 1px solid var(--line);
      background: var(--surface);
    }
    ${form} [type='submit'] { flex: 0 0 auto; margin-inline-start: auto; min-inline-size: 132px; min-block-size: 46px; }
    ${writing} [data-writing='tools'] { flex: none; }
    ${writing} [data-writing='tools'][data-open] { flex: 1 1 100%; }
    ${writing} [data-writing='tools']:not([data-open]) > :is(button, label):not([data-writing='more']) { display: none; }
    ${writing} [data-writing='tools'] > [data-writing='more'] { display: inline-flex; }
  `;
};

/** Tokens and element styles, inlined in each page, so that they need no script. */
export const pageStyles = `
  ${tokenStyles}
  :root { --gutter: 24px; }
  ${theme.media.phone} {
    :root { --gutter: 16px; }
  }

  *, *::before, *::after { box-sizing: border-box; }
  html {
    -webkit-text-size-adjust: 100%;
    scroll-padding-block-start: 96px;
  }
  body {
    margin: 0;
    background: var(--paper);
    color: var(--ink);
    font: 400 1.125rem/1.75 ${theme.font.arabic};
    overflow-wrap: break-word;
    -webkit-font-smoothing: antialiased;
    text-rendering: optimizeLegibility;
  }
  :lang(en) body {
    font: 400 1rem/1.6 ${theme.font.latin};
    font-feature-settings: 'cv11', 'ss03';
  }
  #root {
    min-block-size: 100vh;
    display: flex;
    flex-direction: column;
  }
  h1, h2, h3, h4, p, ul, ol, dl, dd, figure, blockquote, fieldset {
    margin: 0;
    padding: 0;
  }
  ul, ol { list-style: none; }
  h1, h2, h3, h4 {
    font-weight: 800;
    line-height: 1.35;
    text-wrap: balance;
  }
  :lang(en) :is(h1, h2, h3, h4) {
    font-weight: 700;
    line-height: 1.2;
    letter-spacing: -0.014em;
  }
  p { text-wrap: pretty; }
  a { color: inherit; text-decoration: none; }
  /* Radix hides these by style attributes, which rendered pages lack. */
  input[type='checkbox'][aria-hidden='true'] {
    position: absolute;
    margin: 0;
    opacity: 0;
    pointer-events: none;
    transform: translateX(-100%);
  }
  button, input, textarea, select {
    font: inherit;
    color: inherit;
    letter-spacing: inherit;
  }
  button {
    cursor: pointer;
    background: none;
    border: 0;
    padding: 0;
  }
  img, svg { display: block; }
  [hidden] { display: none !important; }
  /* Set before the first paint for signed-in users, whom the home page redirects. */
  [data-waiting] #root { visibility: hidden; }
  .start-notice {
    position: sticky;
    inset-block-start: 0;
    z-index: ${theme.zIndex.toast};
    padding: 6px var(--gutter);
    text-align: center;
    background: var(--gold-tint);
    color: var(--on-gold-tint);
  }
  .start-notice :is(a, button) {
    display: inline-block;
    padding: 9px 12px;
    font-weight: 700;
    text-decoration: underline;
  }
  /* Scroll anchoring would hide the header under the notice. */
  #root:empty, #root[data-rendered] { overflow-anchor: none; }
  body:has(> #root:empty) .start-notice { margin-block-start: 25vh; }
  /* The server does not know the reader's time zone. */
  [data-rendered] time { visibility: hidden; }
  [data-no-scripts] { display: none; }
  ${withoutScripts(':root[data-plain] ')}
  [data-writing='tools'] > [data-writing='more'], #root [data-writing='nameless'] { display: none; }
  @media (max-width: 767px) and (max-height: 479px) { ${withKeyboard(':root')} }
  ${withKeyboard(':root[data-keyboard]')}
  :focus-visible {
    outline: 3px solid var(--violet-text);
    outline-offset: 2px;
  }
  /* Forced colours remove backgrounds and shadows, so mark edges and choices otherwise. */
  @media (forced-colors: active) {
    :is(button, article, [role='dialog'], [role='alertdialog'], [role='menu']) { border: 1px solid; }
    :is([aria-checked='true'], [aria-pressed='true'], [aria-selected='true'], [aria-current], [data-highlighted]):not(:focus-visible) {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
  ::placeholder {
    color: var(--ink-3);
    opacity: 1;
  }
  @media (prefers-reduced-motion: reduce) {
    *, *::before, *::after {
      animation: none !important;
      transition: none !important;
    }
  }
`;
