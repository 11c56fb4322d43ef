import { setTimeout as wait } from 'node:timers/promises';
import type { Bed } from '@najwa/testing';

export interface ConsistencyOptions {
  bed: Bed;
  /** Gateways in front of the same services. */
  replicas: readonly string[];
  seconds: number;
  /** Longest time for which readers may see the previous state after an owner's answer. */
  toleranceMs: number;
}

export interface ConsistencyReport {
  reads: number;
  changes: number;
  /** What must not have been seen. */
  faults: string[];
}

interface Message {
  id: number;
  content: string;
  reply: { content: string } | null;
}

/** Enough for each to stay private longer than the tolerance. */
const MESSAGES = 40;
const VISITORS_OF_A_REPLICA = 2;
const PAUSE_MS = 5;

/** As shown by a page or an answer. */
interface Seen {
  name?: number;
  messages?: Message[];
}

const nameIn = (profile: { name: string }): number => Number(/\d+$/.exec(profile.name)?.[0]);

function seenIn(path: string, text: string): Seen {
  if (path.startsWith('/api/users/')) return { name: nameIn(JSON.parse(text) as { name: string }) };
  if (path.startsWith('/api/messages/')) return { messages: JSON.parse(text) as Message[] };
  const data = /id="page-data"[^>]*>(.*?)<\/script>/s.exec(text)?.[1];
  if (data === undefined) return {};
  const { profile, messages } = JSON.parse(data) as { profile: { name: string }; messages: { items: Message[] } };
  return { name: nameIn(profile), messages: messages.items };
}

/**
 * An owner renames, publishes, unpublishes and replies while visitors read through all replicas. Reports private
 * messages that were shown, and states older than the replica had shown before.
 */
export async function checkConsistency(options: ConsistencyOptions): Promise<ConsistencyReport> {
  const { bed, replicas, seconds, toleranceMs } = options;
  const owner = await bed.newAccount({ name: 'name 0' });
  const ids: number[] = [];
  for (let count = 0; count < MESSAGES; count += 1) ids.push((await bed.sendMessage(owner.id)).id);
  const paths = [`/m/${owner.username}`, `/api/users/${owner.username}`, `/api/messages/public/${owner.id}?limit=20`];

  const faults: string[] = [];
  /** Time of the answer that made it private. */
  const privateSince = new Map<number, number>(ids.map((id) => [id, performance.now() - toleranceMs]));
  const endsAt = performance.now() + seconds * 1000;
  const isOver = (): boolean => performance.now() > endsAt;
  let [reads, changes] = [0, 0];

  const change = async (): Promise<void> => {
    const patch = (id: number, isPublic: boolean) =>
      bed.call('messages', 'PATCH', `/api/messages/${id}`, { identity: owner.identity, body: { isPublic } });
    for (let step = 1; !isOver(); step += 1) {
      const id = ids[step % ids.length] ?? 0;
      privateSince.delete(id);
      await patch(id, true);
      await bed.call('messages', 'POST', '/api/replies', {
        identity: owner.identity,
        body: { messageId: id, content: `reply ${step}` },
      });
      await bed.call('auth', 'PATCH', '/api/users', { identity: owner.identity, body: { name: `name ${step}` } });
      await wait(PAUSE_MS * 20);
      await patch(id, false);
      privateSince.set(id, performance.now());
      changes += 4;
    }
  };

  const visit = async (replica: string, path: string): Promise<void> => {
    let lastName = -1;
    const lastReply = new Map<number, number>();
    while (!isOver()) {
      const startedAt = performance.now();
      const response = await fetch(`${replica}${path}`);
      const text = await response.text();
      reads += 1;
      if (response.status !== 200) {
        faults.push(`${path} was answered with ${response.status}`);
        continue;
      }
      const { name, messages = [] } = seenIn(path, text);
      if (name !== undefined && name < lastName) faults.push(`${path} went back from name ${lastName} to ${name}`);
      lastName = name ?? lastName;
      for (const { id, reply } of messages) {
        const since = privateSince.get(id);
        const lateMs = since === undefined ? 0 : startedAt - since;
        if (lateMs > toleranceMs) faults.push(`${path} showed a private message after ${Math.round(lateMs)} ms`);
        const number = Number(/\d+$/.exec(reply?.content ?? '')?.[0] ?? -1);
        const last = lastReply.get(id) ?? -1;
        if (number < last) faults.push(`${path} went back from reply ${last} to ${number}`);
        lastReply.set(id, number);
      }
      await wait(PAUSE_MS);
    }
  };

  const visitors = replicas.flatMap((replica) =>
    paths.flatMap((path) => Array.from({ length: VISITORS_OF_A_REPLICA }, () => visit(replica, path))),
  );
  await Promise.all([change(), ...visitors]);
  return { reads, changes, faults };
}
