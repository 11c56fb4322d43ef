import { css } from 'styled-components';

const ROOT_FONT_SIZE = 16;

/** In rem, text follows the browser's font size. */
const toRem = (size: string) =>
  size.replaceAll(/([\d.]+)px/g, (_, pixels: string) => `${String(Number(pixels) / ROOT_FONT_SIZE)}rem`);

/** Tajawal looks smaller, so Arabic is one step larger. */
export const textSize = (arabic: string, english: string) => css`
  font-size: ${toRem(arabic)};
  :lang(en) & {
    font-size: ${toRem(english)};
  }
`;

/** Of a page or a section. */
export const headline = (arabic: string, english: string, height = 1.35, englishHeight = 1.2, spacing = -0.022) => css`
  ${textSize(arabic, english)}
  line-height: ${height};
  font-weight: 900;
  :lang(en) & {
    line-height: ${englishHeight};
    font-weight: 800;
    letter-spacing: ${spacing}em;
  }
`;

export const small = css`
  ${textSize('16px', '14px')}
  line-height: 1.65;
`;

export const tiny = css`
  ${textSize('15px', '13px')}
  line-height: 1.5;
`;

/** Tajawal has no weight 600, so Arabic is bold where English is semibold. */
export const semibold = css`
  font-weight: 700;
  :lang(en) & {
    font-weight: 600;
  }
`;

export const visuallyHidden = css`
  position: absolute;
  inline-size: 1px;
  block-size: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
`;

export const isolatedLtr = css`
  direction: ltr;
  unicode-bidi: isolate;
  display: inline-block;
`;

/** Truncated while a fold in the same part is closed. @param part selector of that part */
export const lineUntilOpen = (part: string) => css`
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  min-inline-size: 0;
  ${part}:not(:has(details:not([open]))) & {
    white-space: normal;
    overflow-wrap: anywhere;
  }
`;
