import type { TextKey } from '../../i18n/index.js';
import type { Filter, MessageStats, ReadFilter } from './types.js';

interface FilterRow {
  received: ReadFilter | null;
  hasSent: boolean;
  /** Null where it means that nothing has come yet. */
  empty: { title: TextKey; text: TextKey; offersLink: boolean } | null;
}

export const FILTERS: Record<Filter, FilterRow> = {
  all: { received: 'all', hasSent: true, empty: null },
  unread: {
    received: 'unread',
    hasSent: false,
    empty: { title: 'messages.empty.unread', text: 'messages.empty.unreadText', offersLink: true },
  },
  read: {
    received: 'read',
    hasSent: false,
    empty: { title: 'messages.empty.read', text: 'messages.empty.readText', offersLink: false },
  },
  received: { received: 'all', hasSent: false, empty: null },
  sent: {
    received: null,
    hasSent: true,
    empty: { title: 'messages.empty.sent', text: 'messages.empty.sentText', offersLink: false },
  },
};

/** A message to oneself counts once. */
export const countOf = ({ received, sent, toSelf = 0 }: MessageStats): number => received + sent - toSelf;
