import type { Answer, GivenQuery } from '@najwa/proto/http/client';

export type ReceivedMessage = Answer<'listMessages'>[number];

/** The fields of every message. */
export type Message = ReceivedMessage;

/** A message that the user sent. The recipient is null if the account is gone. */
export type SentMessage = Answer<'listSentMessages'>[number];

/** The recipient's reply to a message. */
export type Reply = NonNullable<Message['reply']>;

export type MessageStats = Answer<'getMessageStats'>;

export type MessageMonth = Answer<'listMessageMonths'>[number];

export type Sort = NonNullable<GivenQuery<'listMessages'>['sort']>;
export type ReadFilter = NonNullable<GivenQuery<'listMessages'>['filter']>;

/** Filters of the dashboard. */
export type Filter = ReadFilter | 'received' | 'sent';

/** An entry of the dashboard's list. */
export type Entry = { kind: 'received'; message: ReceivedMessage } | { kind: 'sent'; message: SentMessage };
