import { withoutBidiControls } from '../lib/bidi.js';

/** Text written by a user, inline with ours. It keeps its own direction and cannot affect the text around it. */
export function Foreign({ children }: { children: string }) {
  return <bdi>{withoutBidiControls(children)}</bdi>;
}
