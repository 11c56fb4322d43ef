import type { EventHandlers, SUBSCRIPTIONS } from '@najwa/common/amqp';
import type { AuthContext } from '../context.js';
import { acknowledge } from '../domain/erasure.js';
import { answerForAvatars } from '../domain/accounts.js';
import { countVisits, recordPresence } from '../domain/presence.js';

/** proto3 cannot require `at`. */
const withTime = <T extends { at?: Date | undefined }>(items: T[]): (T & { at: Date })[] =>
  items.filter((item): item is T & { at: Date } => item.at !== undefined);

export function eventHandlers(context: AuthContext): EventHandlers<(typeof SUBSCRIPTIONS)['auth'][number]> {
  return {
    profileVisited: ({ visits }) => countVisits(context, withTime(visits)),
    filesUnclaimed: ({ avatars }) => answerForAvatars(context, avatars),
    accountErased: ({ userId, service }) => acknowledge(context, userId, service),
    userSeen: ({ updates }) => recordPresence(context, withTime(updates)),
  };
}
