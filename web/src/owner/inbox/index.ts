export { Inbox } from './Inbox.js';
export { useGetStatsQuery } from './list-cache.js';
export type { SentMessage } from './types.js';
