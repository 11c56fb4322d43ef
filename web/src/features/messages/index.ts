export { useGetStatsQuery } from './api.js';
export { Inbox } from './Inbox.js';
export { MessageSound } from './MessageSound.js';
export { MessageMeta, MessageText, Photo, ReplyBubble } from './message-parts.js';
export { cursorPaging, pageParams, toPage } from './paging.js';
export type { Message, Page, Reply, SentMessage } from './types.js';
