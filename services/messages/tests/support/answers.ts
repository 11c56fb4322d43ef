import { IDENTITY_HEADER } from '@najwa/common/identity';
import type { Answer, CallerIdentity, Bed } from '@najwa/testing';

/** The names of all fields in a value, at any depth. */
export function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)]);
}

/** The answer to a submission without its way back, which only the first one has. */
export function messageOf({ body }: Pick<Answer, 'body'>): Record<string, unknown> {
  const { wayBack: _wayBack, ...message } = body as Record<string, unknown>;
  return message;
}

export interface Message {
  id: number;
  audioUrl: string | null;
  createdAt: string;
}

/** All messages in an answer, at any depth. */
export function messagesIn(value: unknown): Message[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(messagesIn);
  return 'audioUrl' in value ? [value as Message, ...inner] : inner;
}

/** An answer as the caller receives it. */
export interface FetchedAnswer {
  body: unknown;
  status: number;
  /** Headers and body. */
  text: string;
  keys: string[];
  messages: Message[];
}

export async function fetchAnswer(
  bed: Bed,
  service: 'auth' | 'messages' | 'media',
  path: string,
  identity: CallerIdentity,
): Promise<FetchedAnswer> {
  const response = await fetch(`${bed.url(service)}${path}`, {
    headers: { [IDENTITY_HEADER]: await bed.identityToken(service, identity) },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const body: unknown = isJson ? JSON.parse(bytes.toString('utf8')) : null;
  return {
    status: response.status,
    text: `${JSON.stringify([...response.headers])}${bytes.toString('latin1')}`,
    keys: keysOf(body),
    messages: messagesIn(body),
    body,
  };
}

/**
 * All answers about an account and its messages, with the pictures and recordings that they name.
 * @param messages ids
 */
export async function fetchAnswersAbout(
  bed: Bed,
  owner: { id: number; username: string },
  messages: number[],
  identity: CallerIdentity,
): Promise<FetchedAnswer[]> {
  const seen: FetchedAnswer[] = [];
  const paths = new Set<string>(
    ['newest', 'oldest'].flatMap((sort) => [
      ...['all', 'read', 'unread'].map((filter) => `messages /api/messages?sort=${sort}&filter=${filter}`),
      `messages /api/messages?folder=aside&sort=${sort}`,
      `messages /api/messages/public/${owner.id}?sort=${sort}`,
    ]),
  );
  for (const path of [
    'messages /api/messages/stats',
    'messages /api/blocks',
    'messages /api/filters',
    'messages /api/reports',
    'auth /api/user',
    'auth /api/users/receiving',
    `auth /api/users/${owner.username}`,
    `auth /api/users/by-id/${owner.id}`,
  ])
    paths.add(path);
  for (const id of messages) paths.add(`messages /api/replies/${id}`);
  for (const path of paths) {
    const [service, target] = path.split(' ') as ['auth' | 'messages' | 'media', string];
    const answer = await fetchAnswer(bed, service, target, identity);
    seen.push(answer);
    for (const media of answer.text.match(/\/(image|audio\/stream)\/[\w.-]+/g) ?? []) {
      paths.add(`media /api${media}`);
      if (media.startsWith('/image/')) paths.add(`media /api${media}?size=small`);
    }
  }
  return seen;
}
