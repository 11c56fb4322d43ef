import type { TextKey } from '../../i18n/index.js';
import type { Filter, MessageStats, ReadFilter } from './types.js';

interface FilterRow {
  received: ReadFilter | null;
  hasSent: boolean;
  count: (stats: MessageStats) => number;
  empty: { title: TextKey; text: TextKey; offersLink: boolean };
}

const NONE_YET = { title: 'messages.empty.title', text: 'messages.empty.text', offersLink: true } as const;

export const FILTERS: Record<Filter, FilterRow> = {
  all: {
    received: 'all',
    hasSent: true,
    // A message to oneself counts once.
    count: ({ received, sent, toSelf = 0 }) => received + sent - toSelf,
    empty: NONE_YET,
  },
  unread: {
    received: 'unread',
    hasSent: false,
    count: ({ unread }) => unread,
    empty: { title: 'messages.empty.unread', text: 'messages.empty.unreadText', offersLink: true },
  },
  read: {
    received: 'read',
    hasSent: false,
    count: ({ read }) => read,
    empty: { title: 'messages.empty.read', text: 'messages.empty.readText', offersLink: false },
  },
  received: { received: 'all', hasSent: false, count: ({ received }) => received, empty: NONE_YET },
  sent: {
    received: null,
    hasSent: true,
    count: ({ sent }) => sent,
    empty: { title: 'messages.empty.sent', text: 'messages.empty.sentText', offersLink: false },
  },
};
