import { withoutBidiControls } from '../lib/bidi.js';

/** What somebody else wrote, on a line with words of ours: it runs its own way and leaves them where they are. */
export function Foreign({ children }: { children: string }) {
  return <bdi>{withoutBidiControls(children)}</bdi>;
}
