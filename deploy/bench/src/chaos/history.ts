/** Milliseconds. The call took effect at some time in between. */
interface Call {
  began: number;
  ended: number;
}

/** Sent until it was accepted. */
export interface Sent extends Call {
  owner: number;
  content: string;
  /** Null if never accepted. */
  id: number | null;
}

/** Without a successful answer it may still have happened, even later. */
export interface Change extends Call {
  id: number;
  action: 'publish' | 'unpublish' | 'delete';
  succeeded: boolean;
}

/** Newest first, complete down to the last. */
export interface InboxRead extends Call {
  owner: number;
  messages: { id: number; content: string }[];
}

/** As shown to a visitor. */
export interface PublicRead extends Call {
  owner: number;
  ids: number[];
}

/** All that clients sent and saw. */
export interface History {
  sent: Sent[];
  changes: Change[];
  inboxes: InboxRead[];
  publics: PublicRead[];
}

export interface Verdict {
  /** Lost, doubled, shown to the wrong person, or shown after its deletion. */
  violations: string[];
  /** Milliseconds for which visitors still saw what an owner had taken back. */
  late: { at: number; milliseconds: number }[];
}

function group<Item>(items: readonly Item[], keyOf: (item: Item) => number): Map<number, Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const known = groups.get(key);
    if (known) known.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/**
 * Checks reads against answers, as a linearizable store would explain them.
 * @param final complete inboxes, read after everything else
 */
export function judge({ sent, changes, inboxes, publics }: History, final: readonly InboxRead[]): Verdict {
  const violations: string[] = [];
  const late: Verdict['late'] = [];
  const byContent = new Map(sent.map((message) => [message.content, message]));
  const accepted = new Map(sent.flatMap((message) => (message.id === null ? [] : [[message.id, message] as const])));
  const changesOf = group(changes, ({ id }) => id);
  const deletionsOf = (id: number): Change[] => (changesOf.get(id) ?? []).filter(({ action }) => action === 'delete');

  if (accepted.size < sent.filter(({ id }) => id !== null).length) violations.push('Two messages were given one id.');

  const acceptedOf = group([...accepted.values()], ({ owner }) => owner);
  for (const messages of acceptedOf.values()) messages.sort((a, b) => (b.id ?? 0) - (a.id ?? 0));

  const checkInbox = ({ owner, messages, began, ended }: InboxRead, isWhole: boolean): void => {
    const seen = new Set<string>();
    for (const { id, content } of messages) {
      const original = byContent.get(content);
      if (original?.owner !== owner || (original.id !== null && original.id !== id))
        violations.push(`Message ${id} stands in the inbox of ${owner}, who was not sent it.`);
      if (seen.has(content)) violations.push(`Message ${id} stands twice in the inbox of ${owner}.`);
      seen.add(content);
      if (deletionsOf(id).some((deletion) => deletion.succeeded && deletion.ended < began))
        violations.push(`Message ${id} was shown to its owner after its deletion.`);
    }
    const last = isWhole ? 0 : (messages.at(-1)?.id ?? 0);
    const shown = new Set(messages.map(({ id }) => id));
    for (const message of acceptedOf.get(owner) ?? []) {
      const id = message.id ?? 0;
      if (id < last) break;
      if (shown.has(id) || message.ended >= began || deletionsOf(id).some((deletion) => deletion.began < ended))
        continue;
      violations.push(`Message ${id} was accepted, and is missing in the inbox of ${owner}.`);
    }
  };
  for (const read of inboxes) checkInbox(read, false);
  for (const read of final) checkInbox(read, true);

  for (const { owner, ids, began, ended } of publics) {
    for (const id of ids) {
      if (accepted.get(id)?.owner !== owner)
        violations.push(`Message ${id} stands on the page of ${owner}, who has no such.`);
      const history = (changesOf.get(id) ?? []).filter((change) => change.began <= ended);
      const published = history.filter(({ action }) => action === 'publish');
      if (published.length === 0) violations.push(`Message ${id} was shown to a visitor, and was never published.`);
      // Only changes after the last publication count.
      const lastPublished = Math.max(...published.map((change) => change.ended));
      const takenBack = history
        .filter(({ action, succeeded, began: from }) => action !== 'publish' && succeeded && from > lastPublished)
        .map((change) => change.ended);
      const milliseconds = began - Math.min(...takenBack);
      if (takenBack.length > 0 && milliseconds > 0) late.push({ at: began, milliseconds });
    }
  }
  return { violations, late };
}
