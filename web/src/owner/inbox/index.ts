export { Inbox } from './Inbox.js';
export { useGetByIdsQuery, useGetStatsQuery } from './list-cache.js';
export type { SentMessage } from './types.js';
