import type { TextKey } from '../../i18n/index.js';
import type { Filter, MessageStats, ReadFilter } from './types.js';

interface FilterRow {
  /** The part of the received messages that it shows, or null. */
  received: ReadFilter | null;
  hasSent: boolean;
  count: (stats: MessageStats) => number;
  /** Shown where it has no message. */
  empty: { title: TextKey; text: TextKey; offersLink: boolean };
}

const NONE_YET = { title: 'messages.empty.title', text: 'messages.empty.text', offersLink: true } as const;

/** The filters of the inbox, in the order of their chips. */
export const FILTERS: Record<Filter, FilterRow> = {
  all: {
    received: 'all',
    hasSent: true,
    // A message to oneself is one in the list of all.
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
