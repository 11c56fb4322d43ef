import { createHash } from 'node:crypto';
import { AppError, type BoundedQueue } from '@najwa/common';
import type { PrivateFile, PrivateFiles } from '../clients/private-files.js';
import { SIGNATURE_BYTES } from '../voice/container.js';

/** A voice as it was recorded. It exists here and nowhere else, and only until it is decoded. */
export interface Recording {
  file: PrivateFile;
  /** Its first bytes, which say what it is. */
  head: Buffer;
  /** SHA-256, by which a recording is known again. */
  digest: string;
}

/** The product's 10 MB. */
export const MAX_RECORDING_BYTES = 10 * 1024 * 1024;

/** Slower senders are cut off: a recording on its way takes room that others need. */
const RECEIVE_TIMEOUT_MS = 120_000;

export interface RecordingRoom {
  files: PrivateFiles;
  /** Bounds how many recordings are here at once, and so the room they take on the disk. */
  admit: BoundedQueue;
}

/** Makes room for a recording, and gives it back whatever happens. @throws {AppError} `unavailable` when there is none */
export function withRecordingFile<Result>(
  { files, admit }: RecordingRoom,
  use: (file: PrivateFile) => Promise<Result>,
): Promise<Result> {
  return admit(async () => {
    const file = await files.create();
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  });
}

/**
 * Takes a recording in as it arrives.
 * @throws {AppError} `payload_too_large`, `malformed` when it takes too long
 */
export async function receiveRecording(file: PrivateFile, pieces: AsyncIterable<Uint8Array>): Promise<Recording> {
  const hash = createHash('sha256');
  const deadline = Date.now() + RECEIVE_TIMEOUT_MS;
  let head = Buffer.alloc(0);
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > MAX_RECORDING_BYTES) {
      throw new AppError({
        code: 'payload_too_large',
        message: 'The recording is larger than 10 MB.',
        fields: { audio: 'too_large' },
      });
    }
    if (Date.now() > deadline)
      throw new AppError({ code: 'malformed', message: 'The recording took too long to arrive.' });
    if (head.length < SIGNATURE_BYTES) head = Buffer.concat([head, piece.subarray(0, SIGNATURE_BYTES)]);
    hash.update(piece);
    await file.append(piece);
  }
  return { file, head, digest: hash.digest('base64url') };
}

const REFUSALS = {
  unsupported: 'There is no sound in the recording that can be read. Send WebM, MP4, Ogg or WAV.',
  too_long: 'The recording is longer than 3 minutes.',
  too_short: 'The recording is shorter than 0.3 seconds.',
  silent: 'There is nothing to be heard in the recording. Check the microphone.',
};

export function refuseRecording(fault: keyof typeof REFUSALS, cause?: unknown): AppError {
  return new AppError({ code: 'invalid_input', message: REFUSALS[fault], fields: { audio: fault }, cause });
}
