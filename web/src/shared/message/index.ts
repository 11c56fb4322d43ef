export { AnsweredPrompt, MessageMeta, MessageText, OwnerBubble, Photo, ReplyBubble } from './message-parts.js';
export { LockedSound, MessageMedia } from './MessageMedia.js';
export { canSharePictures, isUndrawable, readPictureRefusal, savePicture, sharePicture } from './share-picture.js';
export { type Turn, TurnBubble, Turns, WhoseTurn } from './Turns.js';
export type { Message, Reply } from './types.js';
