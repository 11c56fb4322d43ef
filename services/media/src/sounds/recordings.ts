import { createHash } from 'node:crypto';
import { AppError } from '@najwa/common/errors';
import { withMinimumRate, type FairQueue } from '@najwa/common/limits';
import { LIMITS } from '@najwa/proto/http/client';
import type { PrivateFile, PrivateFiles } from '../clients/private-files.js';
import { SIGNATURE_BYTES } from '../voice/container.js';

/** An original recording, which exists only in this file until it is decoded. */
export interface Recording {
  file: PrivateFile;
  /** Identifies the format. */
  head: Buffer;
  /** SHA-256. */
  digest: string;
}

const RETRY_AFTER_SECONDS = 10;

export interface RecordingSlots {
  files: Pick<PrivateFiles, 'prepare' | 'create'>;
  /** Bounds concurrent recordings, and thereby disk space. */
  admit: FairQueue;
}

/** Temporary shortages of the machine. */
const SHORTAGES = ['ENOSPC', 'EDQUOT', 'ENOMEM', 'EAGAIN', 'EMFILE', 'ENFILE'];

const isShortage = (error: unknown): boolean =>
  error instanceof Error && SHORTAGES.includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Holds a slot while `use` runs.
 * @param sender quota keys
 * @throws {AppError} `unavailable` without a slot or room, `too_many_requests` if the sender has too many
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
 * Bounds only the rate, so that the slowest accepted line can send the longest recording.
 * @throws {AppError} `payload_too_large`, `request_timeout`
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
