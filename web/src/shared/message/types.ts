import type { Answer } from '@najwa/proto/http/client';

export type Message = Answer<'listMessages'>[number];

export type Reply = NonNullable<Message['reply']>;
