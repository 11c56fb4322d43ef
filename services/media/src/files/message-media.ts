import type { FilesAnswered } from '@najwa/proto/events';
import type { MessageDeleted, MessageState } from '@najwa/proto/media';
import type { BlobStore } from '../clients/blob-store.js';
import type { PictureRepository } from '../pictures/picture-store.js';
import type { SoundRepository } from '../sounds/sound-store.js';
import { removeKept } from './removal.js';

export interface FilesDeps {
  blobs: BlobStore;
  pictures: PictureRepository;
  sounds: SoundRepository;
}

/** The latest revision wins. */
export async function applyMessageState(
  { pictures, sounds }: FilesDeps,
  message: MessageState | undefined,
): Promise<void> {
  if (message === undefined) return;
  const { imageName, audioName, isPublic, isReported = false, revision } = message;
  if (imageName !== '') await pictures.applyState(imageName, { isPublic, isReported, revision });
  if (audioName !== '') await sounds.applyState(audioName, { isPublic, isReported, revision });
}

/** The sweep removes files that their owner disowns. */
export async function applyAnswer({ pictures, sounds }: FilesDeps, { claims, released }: FilesAnswered): Promise<void> {
  for (const { name, ...state } of claims)
    await Promise.all([pictures.applyState(name, state), sounds.applyState(name, state)]);
  const now = new Date();
  await Promise.all([pictures.abandonReleased(released, now), sounds.abandonReleased(released, now)]);
}

export async function removeMessageMedia(
  { blobs, pictures, sounds }: FilesDeps,
  { imageName, audioName, isReported, revision }: MessageDeleted,
): Promise<void> {
  if (isReported) {
    if (imageName !== '') await pictures.keepAsEvidence(imageName, revision);
    if (audioName !== '') await sounds.keepAsEvidence(audioName, revision);
    return;
  }
  if (imageName !== '') await removeKept(blobs, pictures, imageName, revision);
  if (audioName !== '') await removeKept(blobs, sounds, audioName, revision);
}
