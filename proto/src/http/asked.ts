const ASK = /[?&]ask=([1-9]\d{0,14})(?:&|$)/;

/** Id of the owner's question in a link. */
export function askedIn(search: string): number | undefined {
  const [, id] = ASK.exec(search) ?? [];
  return id === undefined ? undefined : Number(id);
}
