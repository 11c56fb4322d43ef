/** Tells visitors apart without saying anything about them. */
export const VISITOR_COOKIE = 'najwa_visitor';

/** One cookie of a Cookie header, the first if it is there twice. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  const prefix = `${name}=`;
  for (const part of header.split(';')) {
    const pair = part.trimStart();
    if (pair.startsWith(prefix)) return pair.slice(prefix.length).trimEnd();
  }
  return undefined;
}
