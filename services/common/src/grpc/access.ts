import type { ServiceDefinition } from '@grpc/grpc-js';
import { AuthServiceService } from '@najwa/proto/auth';
import { ChatbotServiceService } from '@najwa/proto/chatbot';
import { MediaServiceService } from '@najwa/proto/media';
import { MessagesServiceService } from '@najwa/proto/messages';
import { TrackingServiceService } from '@najwa/proto/tracking';

type Callers<Definition> = Record<keyof Definition, readonly string[]>;

const auth: Callers<typeof AuthServiceService> = {
  resolveSession: ['gateway'],
  getUser: ['chatbot'],
  getUsers: ['messages', 'admin'],
  getOwnAccount: ['messages'],
  updateReceiving: ['messages'],
  createAdmin: ['admin'],
};

const media: Callers<typeof MediaServiceService> = {
  storeImage: ['auth', 'messages', 'chatbot'],
  getImage: ['chatbot', 'messages'],
  getSound: ['messages'],
  removeImage: ['chatbot'],
  morphVoice: ['messages'],
  followMessage: ['messages'],
  storeArchivePart: ['messages'],
  getArchivePart: ['messages'],
  removeArchive: ['messages'],
};

const messages: Callers<typeof MessagesServiceService> = {
  listReports: ['admin'],
  openReport: ['admin'],
  openConversation: ['admin'],
  actOnReport: ['admin'],
  undoAction: ['admin'],
  listActions: ['admin'],
  findAffairs: ['admin'],
  countReports: ['admin'],
  followNotifications: ['gateway'],
  followWayBack: ['gateway'],
};

const tracking: Callers<typeof TrackingServiceService> = {
  listTracking: ['admin'],
};

const chatbot: Callers<typeof ChatbotServiceService> = {
  listConversations: ['admin'],
  listOwnConversations: ['messages'],
  deleteConversation: ['admin'],
  deleteAllConversations: ['admin'],
};

const pathsOf = <Definition extends ServiceDefinition>(
  definition: Definition,
  callers: Callers<Definition>,
): [string, readonly string[]][] =>
  Object.entries(definition).map(([method, { path }]) => [path, callers[method as keyof Definition]]);

/** By method path. Methods without an entry refuse every caller. */
export const CALLERS_BY_PATH: ReadonlyMap<string, readonly string[]> = new Map([
  ...pathsOf(AuthServiceService, auth),
  ...pathsOf(MediaServiceService, media),
  ...pathsOf(MessagesServiceService, messages),
  ...pathsOf(TrackingServiceService, tracking),
  ...pathsOf(ChatbotServiceService, chatbot),
]);
