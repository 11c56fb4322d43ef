import { withoutBidiControls } from './bidi.js';

/** Words that are never used alone as a name, such as عبد in عبد الرحمن. */
const PREFIXES = new Set(['عبد', 'أبو', 'ابو', 'أم', 'ام', 'ابن', 'بنت', 'آل', 'Abd', 'Abdul', 'Abu', 'Umm', 'Ibn']);

/** The name to use in a sentence. */
export function firstName(name: string): string {
  const [first = '', second] = withoutBidiControls(name).trim().split(/\s+/);
  return PREFIXES.has(first) && second !== undefined ? `${first} ${second}` : first;
}
