import { describe, expect, jest, test } from '@jest/globals';
import { AppError } from '@najwa/common/errors';
import { createLogger } from '@najwa/common/logging';
import type { FollowNotificationsResponse } from '@najwa/proto/messages';
import type { EventStream } from './event-stream.js';
import { Streams } from './streams.js';

const tokenHash = Buffer.alloc(32, 1);
const ANSWER: FollowNotificationsResponse = {
  accounts: ['7'],
  notifications: [{ id: 3, body: '{"id":3}' }],
  unread: 1,
};

/** The test decides when messages answers. */
function begin() {
  const questions: (() => void)[] = [];
  const followNotifications = () =>
    new Promise<FollowNotificationsResponse>((resolve) => questions.push(() => resolve(ANSWER)));
  const messages = { followNotifications, followWayBack: () => Promise.resolve(5) };
  const streams = new Streams(messages, createLogger({ service: 'test', level: 'silent' }));
  /** Answers the questions that are open. */
  const answerOpen = async () => {
    for (const resolve of questions.splice(0)) resolve();
    await new Promise(setImmediate);
  };
  const stream = { send: jest.fn<EventStream['send']>(), beat: jest.fn(), end: jest.fn() };
  return {
    streams,
    stream,
    follow: (confirm = () => Promise.resolve()) => streams.follow({ userId: 7, tokenHash, confirm }, 2, () => stream),
    answerOpen,
    /** Also those that follow from the answers. */
    answer: async () => {
      for (let turn = 0; turn < 4; turn++) await answerOpen();
    },
  };
}

describe('a stream that is being opened', () => {
  test('an opening stream sends what its client missed', async () => {
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

  test.each([
    ['its session ends', (streams: Streams) => streams.endSession(tokenHash)],
    ['its account is closed', (streams: Streams) => streams.endAccount(7)],
  ])('an opening stream ends without an event if %s meanwhile', async (_, end) => {
    const { streams, follow, answerOpen, answer, stream } = begin();
    const opened = follow();
    await answerOpen();
    end(streams);
    await answer();
    await opened;
    expect(stream.send).not.toHaveBeenCalled();
    expect(stream.end).toHaveBeenCalled();
  });

  test('an opening stream is refused if its session had ended before', async () => {
    const { follow, answer, stream } = begin();
    const refusal = new AppError({ code: 'not_signed_in', message: 'Sign in first.' });
    const opened = expect(follow(() => Promise.reject(refusal))).rejects.toBe(refusal);
    await answer();
    await opened;
    expect(stream.send).not.toHaveBeenCalled();
  });

  test('an opening stream ends soon if events may have been missed meanwhile', async () => {
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
