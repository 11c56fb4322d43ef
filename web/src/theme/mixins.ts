import { css } from 'styled-components';

const ROOT_FONT_SIZE = 16;

/** Converts pixels to rem, so that text follows the browser's font size. */
const toRem = (size: string) =>
  size.replaceAll(/([\d.]+)px/g, (_, pixels: string) => `${String(Number(pixels) / ROOT_FONT_SIZE)}rem`);

/** Font sizes for both scripts. Tajawal looks smaller, so Arabic is one step larger. */
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

/** An endless animation rests until the scripts have taken the page over: each of its frames would delay them on a slow processor. */
export const restsUntilHydrated = css`
  @media (scripting: enabled) {
    [data-rendered] & {
      animation-play-state: paused;
    }
  }
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

/** Always left to right, isolated from the text around it. For addresses and usernames. */
export const isolatedLtr = css`
  direction: ltr;
  unicode-bidi: isolate;
  display: inline-block;
`;

/** Width of a dot between two parts of a line, in pixels. */
export const SEPARATED = 14;

/** Each of its parts begins with room for a dot. That at the beginning of a line is cut off. */
export const dottedLine = css`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  margin-inline-start: -${SEPARATED}px;
  clip-path: inset(0 0 0 ${SEPARATED}px);
  [dir='rtl'] & {
    clip-path: inset(0 ${SEPARATED}px 0 0);
  }
`;

/** One line, cut at its end, until a fold in the same part of the page is open. @param part selector of that part */
export const lineUntilOpen = (part: string) => css`
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  min-inline-size: 0;
  ${part}:has(details[open]) & {
    white-space: normal;
    overflow-wrap: anywhere;
  }
`;
