import type { Answer, GivenQuery } from '@najwa/proto/http/client';
import type { Message } from '../../shared/message/index.js';

/** The recipient is null if the account is gone. */
export type SentMessage = Answer<'listSentMessages'>[number];

export type MessageStats = Answer<'getMessageStats'>;

export type MessageMonth = Answer<'listMessageMonths'>[number];

export type Sort = NonNullable<GivenQuery<'listMessages'>['sort']>;
export type ReadFilter = NonNullable<GivenQuery<'listMessages'>['filter']>;

export type Filter = ReadFilter | 'received' | 'sent';

/** `others` are the loaded messages of the conversation that its row stands for. */
export type Entry =
  | { kind: 'received'; message: Message; others?: readonly Message[] }
  | { kind: 'sent'; message: SentMessage };
