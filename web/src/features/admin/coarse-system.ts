export type CoarseSystem = 'Windows' | 'MacOS' | 'Linux' | 'Android' | 'iOS' | 'unknown' | 'unavailable';

/** In this order: phones name the desktop system that they descend from as well. */
const MARKS: readonly [RegExp, CoarseSystem][] = [
  [/windows/i, 'Windows'],
  [/android/i, 'Android'],
  [/iphone|ipad|ipod/i, 'iOS'],
  [/mac os|macintosh/i, 'MacOS'],
  [/linux|x11/i, 'Linux'],
];

/** The system that a user agent names, roughly. */
export function coarseSystem(userAgent: string | null): CoarseSystem {
  if (userAgent === null || userAgent === '') return 'unavailable';
  return MARKS.find(([mark]) => mark.test(userAgent))?.[1] ?? 'unknown';
}
