export { useGetStatsQuery } from './api.js';
export { Inbox } from './Inbox.js';
export { MessageSound } from './MessageSound.js';
export { AnsweredPrompt, MessageMeta, MessageText, Photo, OwnerBubble, ReplyBubble } from './message-parts.js';
export { isUndrawable, readPictureRefusal, savePicture, sharePicture } from './share-picture.js';
export type { Message, Reply, SentMessage } from './types.js';
