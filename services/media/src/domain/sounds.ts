import { createHash } from 'node:crypto';
import { isStaff, type Identity } from '@najwa/common/identity';
import { RETENTION } from '@najwa/proto/http';
import type { VoiceType } from '@najwa/proto/voice';
import type { MediaContext } from '../context.js';
import type { SoundRecord } from '../db/sounds.js';
import { completeKept, describeBytes } from './kept-bytes.js';
import { createMediaName } from './media-names.js';
import type { Recording } from './recordings.js';
import type { AlteredVoice } from './voice-changer.js';

/** The account or visitor that made a recording. The gateway assigns visitor ids. */
export type Maker = { userId: number } | { visitorId: string };

export interface NewPreview {
  recording: Recording;
  voiceType: VoiceType;
  maker: Maker;
  /** The keys by which recordings and alterations of one sender are counted. */
  senderKey: string;
  senderSite?: string | undefined;
}

export interface NewVoice extends NewPreview {
  storageKey: string;
  readerIds: number[];
  /** True if the sender's device has altered the voice. */
  isAltered: boolean;
}

/** For this long a preview can be played, and a message with the same recording reuses it. */
export const PREVIEW_LIFETIME_MS = RETENTION.previewMinutes * 60 * 1000;

/**
 * Alters a recording and stores it as a preview.
 * @throws {AppError} `invalid_input`, `too_many_requests`, `unavailable`; nothing is kept then
 */
export async function previewVoice(context: MediaContext, preview: NewPreview): Promise<SoundRecord> {
  const altered = await context.voiceChanger.change({ ...preview, isAltered: false });
  const name = createMediaName();
  await context.sounds.reserve(
    { name, storageKey: previewKeyOf(preview), kind: 'preview', readerTags: [] },
    new Date(),
  );
  return storeAltered(context, name, altered);
}

/**
 * Stores an altered recording, private at first. Reuses the maker's latest preview of it, or else makes a new draw. What the
 * sender's device has altered was heard there.
 * Calls with the same storage key get the same sound, even while the first one is in progress.
 * @throws {AppError} `invalid_input`, `unavailable`, `too_many_requests`; nothing is kept then
 */
export function keepVoice(context: MediaContext, voice: NewVoice): Promise<SoundRecord> {
  return context.morphing(voice.storageKey, async () => {
    const earlier = await context.sounds.renew(voice.storageKey, new Date());
    return earlier ?? (await keepPreviewed(context, voice)) ?? (await keepAltered(context, voice));
  });
}

async function keepPreviewed(context: MediaContext, voice: NewVoice): Promise<SoundRecord | null> {
  if (voice.isAltered) return null;
  const { sounds, blobs } = context;
  const preview = await sounds.findPreview(previewKeyOf(voice), new Date(Date.now() - PREVIEW_LIFETIME_MS));
  if (preview === null) return null;
  const name = await reserveMessageSound(context, voice);
  if (!(await blobs.copy(preview.name, name))) return null;
  const { size, contentType, etag, duration, peaks } = preview;
  return completeKept(blobs, sounds, name, { size, contentType, etag, duration, peaks });
}

async function keepAltered(context: MediaContext, voice: NewVoice): Promise<SoundRecord> {
  await context.limits.voice.consume(voice.senderKey);
  const altered = await context.voiceChanger.change(voice);
  return storeAltered(context, await reserveMessageSound(context, voice), altered);
}

async function reserveMessageSound(
  { sounds, readers }: MediaContext,
  { storageKey, readerIds }: NewVoice,
): Promise<string> {
  const name = createMediaName();
  await sounds.reserve({ name, storageKey, kind: 'message', ...(await readers.of(name, readerIds)) }, new Date());
  return name;
}

async function storeAltered(
  { sounds, blobs }: MediaContext,
  name: string,
  { bytes, contentType, duration, peaks }: AlteredVoice,
): Promise<SoundRecord> {
  await blobs.put(name, bytes, contentType);
  return completeKept(blobs, sounds, name, { ...describeBytes(bytes, contentType), duration, peaks });
}

/**
 * Only its readers can play a message's private sound, and moderators if the message was reported. Anyone with the address of
 * a preview can play it. The address is not guessable and is sent only to the maker, and this also works without
 * cookies.
 */
export async function mayHear(
  { readers }: MediaContext,
  sound: SoundRecord,
  { user }: Identity,
  now: Date,
): Promise<boolean> {
  const { kind, isPublic, isReported, unclaimedSince } = sound;
  if (kind === 'message') {
    if (isPublic) return true;
    if (user === null) return false;
    return (isReported && isStaff(user)) || readers.include(sound, user.id);
  }
  return unclaimedSince !== null && now.getTime() - unclaimedSince.getTime() < PREVIEW_LIFETIME_MS;
}

export const makerOf = ({ user, visitorId }: Identity): Maker => (user === null ? { visitorId } : { userId: user.id });

/** Depends on recording, voice and maker. It cannot be computed without the recording. */
const previewKeyOf = ({ recording, voiceType, maker }: NewPreview): string =>
  createHash('sha256')
    .update(JSON.stringify(['preview', recording.digest, voiceType, maker]))
    .digest('base64url');
