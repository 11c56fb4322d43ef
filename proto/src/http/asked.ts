const ASK = /[?&]ask=([1-9]\d{0,14})(?:&|$)/;

/** The id of the owner's question that a link to their page asks. */
export function askedIn(search: string): number | undefined {
  const [, id] = ASK.exec(search) ?? [];
  return id === undefined ? undefined : Number(id);
}
