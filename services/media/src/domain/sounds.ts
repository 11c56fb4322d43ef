import { createHash } from 'node:crypto';
import type { Identity } from '@najwa/common';
import type { MediaContext } from '../context.js';
import type { SoundRecord } from '../db/sounds.js';
import type { VoiceType } from '../voice/draw.js';
import { describeBytes, requireKept } from './kept-bytes.js';
import { createMediaName } from './media-names.js';
import type { Recording } from './recordings.js';
import type { AlteredVoice } from './voice-changer.js';

/** Who recorded something: an account, or a visitor whom the gateway tells from others. */
export type Maker = { userId: number } | { visitorId: string };

export interface NewPreview {
  recording: Recording;
  voiceType: VoiceType;
  maker: Maker;
}

export interface NewVoice extends NewPreview {
  storageKey: string;
  readerIds: number[];
  /** By whom alterations are counted. */
  senderKey: string;
}

/** For how long a preview can be heard, and is what a message with its recording will hold. */
export const PREVIEW_LIFETIME_MS = 10 * 60 * 1000;

/**
 * Alters a recording for its maker to hear.
 * @throws {AppError} `invalid_input`, `unavailable`; nothing is kept then
 */
export async function previewVoice(context: MediaContext, preview: NewPreview): Promise<SoundRecord> {
  const altered = await context.voiceChanger.change(preview.recording, preview.voiceType);
  const name = createMediaName();
  await context.sounds.reserve(
    { name, storageKey: previewKeyOf(preview), kind: 'preview', readerIds: [], maker: makerHash(name, preview.maker) },
    new Date(),
  );
  return storeAltered(context, name, altered);
}

/**
 * Keeps a recording with its voice altered, private at first: as its maker last heard it in a preview, or else drawn anew.
 * The same key answers the same sound again, also while its first call is under way.
 * @throws {AppError} `invalid_input`, `unavailable`, `too_many_requests`; nothing is kept then
 */
export function keepVoice(context: MediaContext, voice: NewVoice): Promise<SoundRecord> {
  return context.morphing(voice.storageKey, async () => {
    const earlier = await context.sounds.renew(voice.storageKey, new Date());
    return earlier ?? (await keepPreviewed(context, voice)) ?? (await keepAltered(context, voice));
  });
}

async function keepPreviewed(context: MediaContext, voice: NewVoice): Promise<SoundRecord | null> {
  const { sounds, blobs } = context;
  const preview = await sounds.findPreview(previewKeyOf(voice), new Date(Date.now() - PREVIEW_LIFETIME_MS));
  if (preview === null) return null;
  const name = await reserveMessageSound(context, voice);
  if (!(await blobs.copy(preview.name, name))) return null;
  const { size, contentType, etag, duration, peaks } = preview;
  return requireKept(await sounds.complete(name, { size, contentType, etag, duration, peaks }));
}

async function keepAltered(context: MediaContext, voice: NewVoice): Promise<SoundRecord> {
  await context.limits.voice.consume(voice.senderKey);
  const altered = await context.voiceChanger.change(voice.recording, voice.voiceType);
  return storeAltered(context, await reserveMessageSound(context, voice), altered);
}

async function reserveMessageSound({ sounds }: MediaContext, { storageKey, readerIds }: NewVoice): Promise<string> {
  const name = createMediaName();
  await sounds.reserve({ name, storageKey, kind: 'message', readerIds, maker: null }, new Date());
  return name;
}

async function storeAltered(
  { sounds, blobs }: MediaContext,
  name: string,
  { bytes, contentType, duration, peaks }: AlteredVoice,
): Promise<SoundRecord> {
  await blobs.put(name, bytes, contentType);
  return requireKept(await sounds.complete(name, { ...describeBytes(bytes, contentType), duration, peaks }));
}

/** A message's private sound is its readers' alone, and a preview its maker's: being an administrator opens none. */
export function mayHear(
  { name, kind, isPublic, readerIds, maker, unclaimedSince }: SoundRecord,
  identity: Identity,
  now: Date,
): boolean {
  if (kind === 'message') return isPublic || (identity.user !== null && readerIds.includes(identity.user.id));
  const isFresh = unclaimedSince !== null && now.getTime() - unclaimedSince.getTime() < PREVIEW_LIFETIME_MS;
  return isFresh && maker === makerHash(name, makerOf(identity));
}

export const makerOf = ({ user, visitorId }: Identity): Maker => (user === null ? { visitorId } : { userId: user.id });

/** The same for the same recording, voice and maker, and for nobody who has not got the recording. */
const previewKeyOf = ({ recording, voiceType, maker }: NewPreview): string =>
  sha256(['preview', recording.digest, voiceType, maker]);

/** Not the same for two previews of one maker. */
const makerHash = (name: string, maker: Maker): string => sha256(['maker', name, maker]);

const sha256 = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
