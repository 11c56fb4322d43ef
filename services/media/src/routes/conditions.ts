/** Whether what a client has already is what it would get. Express's own check answers in full to whoever asks with `Cache-Control: no-cache`, which is what fetch adds to a condition. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}
