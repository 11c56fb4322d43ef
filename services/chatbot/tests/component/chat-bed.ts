import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createGrpcClient, unary } from '@najwa/common/grpc';
import { ChatbotServiceClient, type Conversation } from '@najwa/proto/chatbot';
import type { Answer, CallerIdentity, Bed } from '@najwa/testing';

export const picture = (): Promise<Buffer> =>
  readFile(new URL('../../../media/tests/samples/1x1.png', import.meta.url));

export interface AskOptions {
  identity?: CallerIdentity;
  imageUrl?: string | null;
  headers?: Record<string, string>;
}

export const newVisitor = (): CallerIdentity => ({ visitorId: randomUUID() });

export function ask(bed: Bed, message: string, { imageUrl = null, ...options }: AskOptions = {}): Promise<Answer> {
  return bed.call('chatbot', 'POST', '/api/chat', { body: { message, imageUrl }, ...options });
}

export function upload(
  bed: Bed,
  content: Buffer,
  { field = 'image', ...options }: AskOptions & { field?: string } = {},
): Promise<Answer> {
  const form = new FormData();
  form.set(field, new Blob([content], { type: 'image/png' }), 'a.png');
  return bed.call('chatbot', 'POST', '/api/chat/upload', { init: { body: form }, ...options });
}

export const responseOf = (answer: Answer): string => (answer.body as { response: string }).response;

export const urlOf = (answer: Answer): string => (answer.body as { image: { url: string } }).image.url;

/** The newest conversations, as the admin service gets them. */
export async function listConversations(bed: Bed): Promise<Conversation[]> {
  return withClient(
    bed,
    async (client) => (await unary(client.listConversations.bind(client))({ before: 0, limit: 100 })).conversations,
  );
}

export async function withClient<T>(bed: Bed, use: (client: ChatbotServiceClient) => Promise<T>): Promise<T> {
  const client = createGrpcClient(ChatbotServiceClient, bed.grpc('chatbot'), bed.callerOf('admin'));
  try {
    return await use(client);
  } finally {
    client.close();
  }
}
