export type CoarseSystem = 'Windows' | 'MacOS' | 'Linux' | 'Android' | 'iOS' | 'unknown' | 'unavailable';

/** The order matters: phones name their desktop relative too. */
const MARKS: readonly [RegExp, CoarseSystem][] = [
  [/windows/i, 'Windows'],
  [/android/i, 'Android'],
  [/iphone|ipad|ipod/i, 'iOS'],
  [/mac os|macintosh/i, 'MacOS'],
  [/linux|x11/i, 'Linux'],
];

/** The operating system named in a user agent. */
export function coarseSystem(userAgent: string | null): CoarseSystem {
  if (userAgent === null || userAgent === '') return 'unavailable';
  return MARKS.find(([mark]) => mark.test(userAgent))?.[1] ?? 'unknown';
}
