import { createHash } from 'node:crypto';
import { AppError } from '@najwa/common/errors';
import { withMinimumRate, type FairQueue } from '@najwa/common/limits';
import { LIMITS } from '@najwa/proto/http/client';
import type { PrivateFile, PrivateFiles } from '../clients/private-files.js';
import { SIGNATURE_BYTES } from '../voice/container.js';

/** An original recording. It exists only in this file, which is removed once it is decoded. */
export interface Recording {
  file: PrivateFile;
  /** The first bytes, which identify the format. */
  head: Buffer;
  /** SHA-256: the same recording sent again has the same. */
  digest: string;
}

const RETRY_AFTER_SECONDS = 10;

export interface RecordingSlots {
  files: PrivateFiles;
  /** Limits concurrent recordings per sender and in total, and so their disk space. */
  admit: FairQueue;
}

/** Errors of a machine that has no disk space, memory, processes or descriptors left for now. */
const SHORTAGES = ['ENOSPC', 'EDQUOT', 'ENOMEM', 'EAGAIN', 'EMFILE', 'ENFILE'];

const isShortage = (error: unknown): boolean =>
  error instanceof Error && SHORTAGES.includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Reserves a slot for a recording and releases it on success and failure.
 * @param sender the keys by which the recordings of one sender are counted
 * @throws {AppError} `unavailable` when there is no slot or no room, `too_many_requests` when the sender has too many
 */
export function withRecordingFile<Result>(
  { files, admit }: RecordingSlots,
  { senderKey, senderSite = senderKey }: { senderKey: string; senderSite?: string | undefined },
  use: (file: PrivateFile) => Promise<Result>,
): Promise<Result> {
  return admit({ sender: senderKey, site: senderSite }, async () => {
    let file: PrivateFile | undefined;
    try {
      file = await files.create();
      return await use(file);
    } catch (error) {
      if (!isShortage(error)) throw error;
      throw new AppError({
        code: 'unavailable',
        message: 'There is no room for a recording just now. Try again shortly.',
        retryAfter: RETRY_AFTER_SECONDS,
        cause: error,
      });
    } finally {
      await file?.close();
    }
  });
}

/**
 * Writes a recording to its file as it arrives. Only its rate is bounded, as at the gateway: whoever is on the slowest
 * line that the gateway admits may send the longest recording.
 * @throws {AppError} `payload_too_large`, `request_timeout` when it arrives too slowly
 */
export async function receiveRecording(file: PrivateFile, chunks: AsyncIterable<Uint8Array>): Promise<Recording> {
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of withMinimumRate(chunks)) {
    size += chunk.length;
    if (size > LIMITS.recordingBytes) {
      throw new AppError({
        code: 'payload_too_large',
        message: 'The recording is larger than 10 MB.',
        fields: { audio: 'too_large' },
      });
    }
    if (head.length < SIGNATURE_BYTES) head = Buffer.concat([head, chunk.subarray(0, SIGNATURE_BYTES)]);
    hash.update(chunk);
    await file.append(chunk);
  }
  return { file, head, digest: hash.digest('base64url') };
}

const REFUSALS = {
  unsupported: 'The recording has no sound that can be read. Send WebM, MP4, Ogg or WAV.',
  too_long: 'The recording is longer than 3 minutes.',
  too_short: 'The recording is shorter than 0.3 seconds.',
  silent: 'There is no sound in the recording. Check the microphone.',
};

export function refuseRecording(fault: keyof typeof REFUSALS, cause?: unknown): AppError {
  return new AppError({ code: 'invalid_input', message: REFUSALS[fault], fields: { audio: fault }, cause });
}
