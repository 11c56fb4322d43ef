import { check } from 'k6';
import { Counter } from 'k6/metrics';
import type { Answer } from './visitor.ts';

export const messagesSent = new Counter('messages_sent');
export const messagesLost = new Counter('messages_lost');
export const messagesDoubled = new Counter('messages_doubled');

/** Ends one iteration of a scenario. The failed check is already counted. */
class CheckFailed extends Error {}

/** Counts a check, and ends the iteration if it fails: later steps build on it. */
export function must(name: string, isTrue: boolean, answer?: Answer): void {
  if (check(null, { [name]: () => isTrue })) return;
  // The code of the error at most: answers contain user texts.
  const { status, code } = answer ?? {};
  const shown = answer === undefined ? '' : ` (status ${status}${code === undefined ? '' : `, ${code}`})`;
  throw new CheckFailed(`Failed: ${name}${shown}`);
}

/** Checks that a list has each sent message once. */
export function mustHoldOnce(name: string, sent: readonly number[], listed: readonly number[]): void {
  const lost = sent.filter((id) => !listed.includes(id)).length;
  const doubled = listed.length - new Set(listed).size;
  messagesLost.add(lost);
  messagesDoubled.add(doubled);
  must(name, lost === 0 && doubled === 0);
}
