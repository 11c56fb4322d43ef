import type { EventHandlers, SUBSCRIPTIONS } from '@najwa/common/amqp';
import { answerForAvatars } from './account/accounts.js';
import { acknowledge, type ErasureDeps } from './account/erasure.js';
import { countVisits, recordPresence, type PresenceDeps } from './presence/presence.js';

/** proto3 cannot require `at`. */
const withTime = <T extends { at?: Date | undefined }>(items: T[]): (T & { at: Date })[] =>
  items.filter((item): item is T & { at: Date } => item.at !== undefined);

export function eventHandlers(deps: ErasureDeps & PresenceDeps): EventHandlers<(typeof SUBSCRIPTIONS)['auth'][number]> {
  return {
    profileVisited: ({ visits }) => countVisits(deps, withTime(visits)),
    filesUnclaimed: ({ avatars }) => answerForAvatars(deps, avatars),
    accountErased: ({ userId, service }) => acknowledge(deps, userId, service),
    userSeen: ({ updates }) => recordPresence(deps, withTime(updates)),
  };
}
