import { createHash } from 'node:crypto';
import type { SingleFlight } from '@najwa/common';
import { isStaff, type Identity } from '@najwa/common/identity';
import type { RateLimiter } from '@najwa/common/limits';
import { RETENTION } from '@najwa/proto/http';
import type { VoiceType } from '@najwa/proto/voice';
import { completeKept, describeBytes, type KeptDeps } from '../files/kept-bytes.js';
import { createMediaName } from '../files/media-names.js';
import type { Recording, RecordingSlots } from './recordings.js';
import type { SoundRecord, SoundRepository } from './sound-store.js';
import type { AlteredVoice, VoiceChanger } from './voice-changer.js';

export interface SoundsDeps extends KeptDeps {
  sounds: SoundRepository;
  recordings: RecordingSlots;
  voiceChanger: VoiceChanger;
  morphing: SingleFlight<SoundRecord>;
  limits: Record<'voice', RateLimiter>;
}

/** Author of a recording. The gateway assigns visitor ids. */
export type Maker = { userId: number } | { visitorId: string };

export interface NewPreview {
  recording: Recording;
  voiceType: VoiceType;
  maker: Maker;
  senderKey: string;
  senderSite?: string | undefined;
}

export interface NewVoice extends NewPreview {
  storageKey: string;
  readerIds: number[];
  /** By the sender's device. */
  isAltered: boolean;
}

/** How long a preview plays, and is reused by a message with the same recording. */
export const PREVIEW_LIFETIME_MS = RETENTION.previewMinutes * 60 * 1000;

/** @throws {AppError} `invalid_input`, `too_many_requests`, `unavailable`; nothing is kept */
export async function previewVoice(deps: SoundsDeps, preview: NewPreview): Promise<SoundRecord> {
  const altered = await deps.voiceChanger.change({ ...preview, isAltered: false });
  const name = createMediaName();
  await deps.sounds.reserve({ name, storageKey: previewKeyOf(preview), kind: 'preview', readerTags: [] }, new Date());
  return storeAltered(deps, name, altered);
}

/**
 * Stores an altered recording, private at first. Reuses the maker's latest preview, unless the device altered it.
 * Idempotent per storage key, also concurrently.
 * @throws {AppError} `invalid_input`, `unavailable`, `too_many_requests`; nothing is kept
 */
export function keepVoice(deps: SoundsDeps, voice: NewVoice): Promise<SoundRecord> {
  return deps.morphing(voice.storageKey, async () => {
    const earlier = await deps.sounds.renew(voice.storageKey, new Date());
    return earlier ?? (await keepPreviewed(deps, voice)) ?? (await keepAltered(deps, voice));
  });
}

async function keepPreviewed(deps: SoundsDeps, voice: NewVoice): Promise<SoundRecord | null> {
  if (voice.isAltered) return null;
  const { sounds, blobs } = deps;
  const preview = await sounds.findPreview(previewKeyOf(voice), new Date(Date.now() - PREVIEW_LIFETIME_MS));
  if (preview === null) return null;
  const name = await reserveMessageSound(deps, voice);
  if (!(await blobs.copy(preview.name, name))) return null;
  const { size, contentType, etag, duration, peaks } = preview;
  return completeKept(blobs, sounds, name, { size, contentType, etag, duration, peaks });
}

async function keepAltered(deps: SoundsDeps, voice: NewVoice): Promise<SoundRecord> {
  await deps.limits.voice.consume(voice.senderKey);
  const altered = await deps.voiceChanger.change(voice);
  return storeAltered(deps, await reserveMessageSound(deps, voice), altered);
}

async function reserveMessageSound(
  { sounds, readers }: SoundsDeps,
  { storageKey, readerIds }: NewVoice,
): Promise<string> {
  const name = createMediaName();
  await sounds.reserve({ name, storageKey, kind: 'message', ...(await readers.of(name, readerIds)) }, new Date());
  return name;
}

async function storeAltered(
  { sounds, blobs }: SoundsDeps,
  name: string,
  { bytes, contentType, duration, peaks }: AlteredVoice,
): Promise<SoundRecord> {
  await blobs.put(name, bytes, contentType);
  return completeKept(blobs, sounds, name, { ...describeBytes(bytes, contentType), duration, peaks });
}

/**
 * Readers hear private sounds, moderators reported ones. A preview's unguessable URL suffices, which works without
 * cookies.
 */
export async function mayHear(
  { readers }: SoundsDeps,
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

/** Underivable without the recording. */
const previewKeyOf = ({ recording, voiceType, maker }: NewPreview): string =>
  createHash('sha256')
    .update(JSON.stringify(['preview', recording.digest, voiceType, maker]))
    .digest('base64url');
