import { css } from 'styled-components';

const ROOT = 16;

/** Sizes are drawn in pixels, and grow with the size of text that somebody has chosen in their browser. */
const toRem = (size: string) =>
  size.replaceAll(/([\d.]+)px/g, (_, pixels: string) => `${String(Number(pixels) / ROOT)}rem`);

/** A text size in both scripts: Tajawal draws small, so that Arabic is one step larger than English. */
export const textSize = (arabic: string, english: string) => css`
  font-size: ${toRem(arabic)};
  :lang(en) & {
    font-size: ${toRem(english)};
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

/** Arabic has no 600 in Tajawal: where English is semibold, Arabic is bold. */
export const semibold = css`
  font-weight: 700;
  :lang(en) & {
    font-weight: 600;
  }
`;

export const hiddenText = css`
  position: absolute;
  inline-size: 1px;
  block-size: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
`;

/** The tail-less side of a text that names an address: always left to right, apart from the sentence around it. */
export const isolatedLtr = css`
  direction: ltr;
  unicode-bidi: isolate;
  display: inline-block;
`;
