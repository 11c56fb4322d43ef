import { describe, expect, jest, test } from '@jest/globals';
import { createLogger } from '@najwa/common';
import type { FollowNotificationsResponse } from '@najwa/proto/messages';
import type { EventStream } from './event-stream.js';
import { createStreams } from './streams.js';

const tokenHash = Buffer.alloc(32, 1);
const ANSWER: FollowNotificationsResponse = {
  accounts: ['7'],
  notifications: [{ id: 3, body: '{"id":3}' }],
  unread: 1,
};

/** Streams whose question to messages is answered when the test says so. */
function begin() {
  const questions: (() => void)[] = [];
  const followNotifications = () =>
    new Promise<FollowNotificationsResponse>((resolve) => questions.push(() => resolve(ANSWER)));
  const streams = createStreams({
    messages: { followNotifications, followWayBack: () => Promise.resolve(5), close: () => undefined },
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  const stream = { send: jest.fn<EventStream['send']>(), beat: jest.fn(), end: jest.fn() };
  return {
    streams,
    stream,
    follow: (isSignedIn = true) =>
      streams.follow({ userId: 7, tokenHash, isSignedIn: () => Promise.resolve(isSignedIn) }, 2, () => stream),
    /** Answers the questions that are open, and those that follow from the answers. */
    answer: async () => {
      for (let turn = 0; turn < 4; turn++) {
        for (const resolve of questions.splice(0)) resolve();
        await new Promise(setImmediate);
      }
    },
  };
}

describe('a stream that is being opened', () => {
  test('sends what its client missed', async () => {
    const { follow, answer, stream } = begin();
    const opened = follow();
    await answer();
    await opened;
    expect(stream.send.mock.calls).toEqual([
      ['notification', '{"id":3}', 3],
      ['count', '{"unread":1}'],
    ]);
    expect(stream.end).not.toHaveBeenCalled();
  });

  test('ends without a word if its session ends meanwhile', async () => {
    const { streams, follow, answer, stream } = begin();
    const opened = follow();
    streams.endSession(tokenHash);
    await answer();
    await opened;
    expect(stream.send).not.toHaveBeenCalled();
    expect(stream.end).toHaveBeenCalled();
  });

  test('is refused if its session had ended before', async () => {
    const { follow, answer, stream } = begin();
    const opened = expect(follow(false)).rejects.toMatchObject({ code: 'not_signed_in' });
    await answer();
    await opened;
    expect(stream.send).not.toHaveBeenCalled();
  });

  test('ends soon if events may have been missed meanwhile', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const { streams, follow, answer, stream } = begin();
    streams.start();
    const opened = follow();
    streams.restart();
    await answer();
    await opened;
    jest.advanceTimersByTime(7_000);
    expect(stream.end).toHaveBeenCalled();
    streams.close();
    jest.useRealTimers();
  });
});
