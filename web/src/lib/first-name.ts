import { withoutBidiControls } from './bidi.js';

/** Words that never stand alone as a name: عبد الرحمن is not called عبد. */
const PREFIXES = new Set(['عبد', 'أبو', 'ابو', 'أم', 'ام', 'ابن', 'بنت', 'آل', 'Abd', 'Abdul', 'Abu', 'Umm', 'Ibn']);

/** What to call somebody in a sentence. */
export function firstName(name: string): string {
  const [first = '', second] = withoutBidiControls(name).trim().split(/\s+/);
  return PREFIXES.has(first) && second !== undefined ? `${first} ${second}` : first;
}
