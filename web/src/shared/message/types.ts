import type { Answer } from '@najwa/proto/http/client';

/** Sent ones belong to no conversation of the inbox. */
export type Message = Omit<Answer<'listMessages'>[number], 'conversationId'> & { conversationId?: number | null };

export type Reply = NonNullable<Message['reply']>;
