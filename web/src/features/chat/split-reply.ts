/** By these words the assistant says that it answers without a language model. */
const MARKERS = ['الوضع التلقائي', 'automatic mode'];
const BULLET = '• ';

interface SplitReply {
  said: string;
  /** The line above the suggestions. */
  heading: string;
  suggestions: string[];
}

export const isAutomatic = (reply: string) => MARKERS.some((marker) => reply.includes(marker));

/**
 * Takes the questions that may be asked next off the end of a reply. Only the automatic mode writes them in this way;
 * a list in any other reply is part of what it says.
 */
export function splitReply(reply: string): SplitReply {
  const whole = { said: reply, heading: '', suggestions: [] };
  if (!isAutomatic(reply)) return whole;
  const lines = reply.trimEnd().split('\n');
  const headingAt = lines.findLastIndex((line) => !line.startsWith(BULLET));
  const heading = lines[headingAt] ?? '';
  const suggestions = lines.slice(headingAt + 1).map((line) => line.slice(BULLET.length));
  if (headingAt === 0 || suggestions.length === 0 || !heading.endsWith(':')) return whole;
  return { said: lines.slice(0, headingAt).join('\n').trimEnd(), heading, suggestions };
}
