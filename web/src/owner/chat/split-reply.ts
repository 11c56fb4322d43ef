/** The automatic mode marks its replies with one of these. */
const MARKERS = ['الوضع التلقائي', 'automatic mode'];
const BULLET = '• ';

interface SplitReply {
  text: string;
  heading: string;
  suggestions: string[];
}

export const isAutomatic = (reply: string) => MARKERS.some((marker) => reply.includes(marker));

/** Only the automatic mode sends suggestions; lists in other replies stay in the text. */
export function splitReply(reply: string): SplitReply {
  const whole = { text: reply, heading: '', suggestions: [] };
  if (!isAutomatic(reply)) return whole;
  const lines = reply.trimEnd().split('\n');
  const headingAt = lines.map((line) => line.startsWith(BULLET)).lastIndexOf(false);
  const heading = lines[headingAt] ?? '';
  const suggestions = lines.slice(headingAt + 1).map((line) => line.slice(BULLET.length));
  if (headingAt === 0 || suggestions.length === 0 || !heading.endsWith(':')) return whole;
  return { text: lines.slice(0, headingAt).join('\n').trimEnd(), heading, suggestions };
}
