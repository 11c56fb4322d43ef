import { afterEach, describe, expect, jest, test } from '@jest/globals';
import '../test/setup.js';
import { startApi, type Answer, type Answers } from '../test/server.js';
import { timeToSend } from '../lib/http.js';
import { api } from './api.js';
import { createStore } from './store.js';

const things = api.injectEndpoints({
  endpoints: (build) => ({
    getThing: build.query<unknown, void>({ query: () => '/thing' }),
    changeThing: build.mutation<unknown, void>({ query: () => ({ url: '/thing', method: 'POST' }) }),
  }),
});

async function open(answers: Answers) {
  const { apiRoot } = await startApi(answers);
  const { dispatch } = createStore({ apiRoot });
  const { getThing, changeThing } = things.endpoints;
  return {
    read: () => dispatch(getThing.initiate()),
    change: () => dispatch(changeThing.initiate()),
  };
}

const failing = (status: number) => {
  const times: number[] = [];
  const answer = () => {
    times.push(performance.now());
    return { status, body: { message: 'It failed.', code: 'unavailable' } };
  };
  return { times, answers: { 'GET /thing': answer, 'POST /thing': answer } satisfies Answers };
};

describe('a call that fails', () => {
  test.each(['read', 'change'] as const)('is repeated once, a second later: %s', async (call) => {
    const { times, answers } = failing(503);
    const { [call]: run } = await open(answers);
    expect(await run()).toMatchObject({ error: { status: 503, code: 'unavailable' } });
    const [first = 0, second = 0, ...others] = times;
    // Timers may fire a little early.
    expect(second - first).toBeGreaterThan(990);
    expect(others).toEqual([]);
  });

  test.each(['read', 'change'] as const)('is not repeated if it was refused: %s', async (call) => {
    const { times, answers } = failing(403);
    const { [call]: run } = await open(answers);
    expect(await run()).toMatchObject({ error: { status: 403 } });
    expect(times).toHaveLength(1);
  });
});

test('a body may be sent as slowly as the gateway takes it', () => {
  const [bytes, rate] = [5 * 1024 * 1024, 4096];
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(bytes)]));
  expect(timeToSend(form)).toBeGreaterThan((bytes / rate) * 1000);
});

describe('a call without an answer', () => {
  afterEach(() => void jest.restoreAllMocks());

  test.each(['read', 'change'] as const)('is given up in the end: %s', async (call) => {
    const limit = timeToSend(undefined);
    const wait = globalThis.setTimeout;
    jest.spyOn(globalThis, 'setTimeout').mockImplementation((run, ms) => wait(run, ms === limit ? 200 : ms));
    const never = () => new Promise<Answer>(() => undefined);
    const { [call]: run } = await open({ 'GET /thing': never, 'POST /thing': never });
    expect(await run()).toMatchObject({ error: { status: null } });
  });
});
