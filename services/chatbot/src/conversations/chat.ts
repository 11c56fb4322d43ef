import { AppError } from '@najwa/common/errors';
import { keptAddress, type Identity } from '@najwa/common/identity';
import { requireSameContent, type Submission } from '@najwa/common/limits';
import { answer } from '../answers/assistant.js';
import type { Language } from '../answers/language.js';
import type { Prompt, Turn } from '../clients/language-model.js';
import { callerOf, mayBeSeveral, PICTURE_CHECK_MS } from '../pictures/pictures.js';
import type { ConversationRecord } from './conversation-store.js';
import type { ConversationsDeps } from './conversations.js';

export interface IncomingQuestion {
  text: string;
  /** Uploaded by the caller. */
  imageName: string | null;
  language: Language;
  identity: Identity;
  userAgent: string;
  submission: Submission;
}

const MAX_HISTORY = 6;
const HISTORY_MS = 60 * 60 * 1000;
const MAX_TURN_LENGTH = 1_000;

/**
 * Idempotent per submission.
 * @throws {AppError} `media_not_found`, `idempotency_conflict`
 */
export async function chat(
  deps: ConversationsDeps,
  { text, imageName, language, identity, userAgent, submission }: IncomingQuestion,
): Promise<ConversationRecord> {
  const { conversations } = deps;
  const earlier = await conversations.findBySubmission(submission.key);
  if (earlier) {
    requireSameContent(submission, earlier.submission);
    return earlier;
  }

  const caller = callerOf(identity);
  const picture = imageName === null ? null : await readOwnPicture(deps, imageName, caller);
  const isUnknown = mayBeSeveral(identity);
  const [history, userName] = await Promise.all([isUnknown ? [] : readHistory(deps, caller), nameOf(deps, identity)]);
  const reply = await answer(deps, { text, language, picture, history, identity });
  const stored = await conversations.insert({
    userId: identity.user?.id ?? null,
    userName,
    userMessage: text,
    botResponse: reply.text,
    imageName,
    isUsingLocalSystem: reply.isAutomatic,
    ipAddress: keptAddress(identity),
    userAgent,
    // A hash of an address is reversible.
    caller: isUnknown ? '' : caller,
    submission,
  });
  requireSameContent(submission, stored.submission);
  return stored;
}

async function readOwnPicture(
  { uploads, media }: ConversationsDeps,
  name: string,
  caller: string,
): Promise<NonNullable<Prompt['picture']>> {
  const now = new Date();
  const isOwn = await uploads.extend({ name, caller }, now, new Date(now.getTime() + PICTURE_CHECK_MS));
  const picture = isOwn ? await media.readPicture(name) : null;
  if (picture === null) throw new AppError({ code: 'media_not_found', message: 'There is no such picture.' });
  return picture;
}

async function readHistory({ conversations }: ConversationsDeps, caller: string): Promise<Turn[]> {
  const recent = await conversations.findRecent(caller, new Date(Date.now() - HISTORY_MS), MAX_HISTORY);
  return recent.reverse().map(({ userMessage, botResponse }) => ({
    question: userMessage.slice(0, MAX_TURN_LENGTH),
    answer: botResponse.slice(0, MAX_TURN_LENGTH),
  }));
}

/** Best effort: the name only helps administrators. */
async function nameOf({ auth, logger }: ConversationsDeps, { user }: Identity): Promise<string | null> {
  if (user === null) return null;
  try {
    return (await auth.findUser(user.id))?.name ?? null;
  } catch (error) {
    logger.warn({ err: error }, 'conversation stored without the name');
    return null;
  }
}
