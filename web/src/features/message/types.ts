import type { Answer } from '@najwa/proto/http/client';

/** A message as its recipient has it. The fields are those of every message. */
export type Message = Answer<'listMessages'>[number];

/** The recipient's reply to a message. */
export type Reply = NonNullable<Message['reply']>;
