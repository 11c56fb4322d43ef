import { expect, test } from '@jest/globals';
import { createFairQueue } from '@najwa/common/limits';
import { receiveRecording, withRecordingFile, type RecordingSlots } from './recordings.js';

/** Files on a disk that is full. */
const slots: RecordingSlots = {
  files: {
    prepare: () => Promise.resolve(),
    create: () =>
      Promise.resolve({
        descriptor: 0,
        append: () => Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })),
        readAll: () => Promise.resolve(Buffer.alloc(0)),
        close: () => Promise.resolve(),
      }),
  },
  admit: createFairQueue({ capacity: 1, runningPerSender: 1, waitingPerSender: 0, maxWaiting: 0, retryAfter: 1 }),
};

test('a recording without room on the disk may be sent again', async () => {
  const arriving = async function* () {
    yield await Promise.resolve(Buffer.from('OggS'));
  };
  const receiving = withRecordingFile(slots, { senderKey: 'user 1' }, (file) => receiveRecording(file, arriving()));
  await expect(receiving).rejects.toMatchObject({ code: 'unavailable', retryAfter: expect.any(Number) });
});
