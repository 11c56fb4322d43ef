// Long run: recordings of every form, and a busy voice changer.
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { IDENTITY_HEADER } from '@najwa/common/identity';
import { readSample, sharedBed, startTestBed, type Answer, type Bed, type CallerIdentity } from '@najwa/testing';
import { eraseAccount } from '../../src/account/erasure.js';
import { actOnReport, sweepReports } from '../../src/moderation/decisions.js';
import { messageOf } from '../support/answers.js';
import { openReplica } from '../support/replica.js';
import { sendVoice, type VoiceOptions } from '../support/submissions.js';

let bed: Bed;
let owner: { id: number };
let recording: Buffer;

beforeAll(async () => {
  bed = await sharedBed();
  recording = await readSample('speech-0.3s.webm');
});

beforeEach(async () => {
  owner = await bed.newAccount();
});

interface VoiceMessage {
  id: number;
  audioUrl: string;
}

interface SendOptions extends VoiceOptions {
  key?: string;
}

const upload = ({ key, ...options }: SendOptions = {}): Promise<Answer> =>
  sendVoice(bed, owner.id, {
    audio: recording,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    ...options,
  });

const sent = async (options: SendOptions = {}): Promise<VoiceMessage> => {
  const answer = await upload(options);
  expect(answer.status).toBe(201);
  return answer.body as VoiceMessage;
};

function requestPreview(at: Bed, identity: CallerIdentity): Promise<Answer> {
  const body = new FormData();
  body.set('audio', new File([new Uint8Array(recording)], 'recording.webm'));
  body.set('voiceType', 'female');
  body.set('isPreview', 'true');
  return at.call('media', 'POST', '/api/audio/preview', { identity, init: { body } });
}

const inbox = async (): Promise<unknown[]> =>
  (await bed.call('messages', 'GET', '/api/messages', { identity: { userId: owner.id } })).body as unknown[];

const hear = async (path: string, identity: CallerIdentity): Promise<{ status: number; bytes: Buffer }> => {
  const response = await fetch(`${bed.url('media')}/api${path}`, {
    headers: { [IDENTITY_HEADER]: await bed.identityToken('media', identity) },
  });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
};

describe('POST /api/audio/upload', () => {
  test.each(['audio first', 'audio last'] as const)(
    'accepts a recording from a visitor and shows it to its owner, %s',
    async (order) => {
      const audio = await readSample('speech-stereo.webm');
      const answer = await upload({ audio, order, fields: { duration: '3599' } });
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({
        userId: owner.id,
        content: '',
        isRead: false,
        isPublic: false,
        imageUrl: null,
        audioUrl: expect.stringMatching(/^\/audio\/stream\/[\w-]{22}$/),
        audioType: 'audio/mp4',
        audioDuration: 4,
        audioPeaks: expect.any(Array),
      });
      expect(await inbox()).toEqual([{ ...messageOf(answer), conversationId: null }]);
      const { audioUrl } = answer.body as VoiceMessage;
      expect((await hear(audioUrl, { userId: owner.id })).status).toBe(200);
      expect((await hear(audioUrl, {})).status).toBe(404);
    },
  );

  test('an account sees its sent voice message but cannot play it while private', async () => {
    const sender = await bed.newAccount();
    const { audioUrl } = await sent({ identity: { userId: sender.id } });
    expect(
      (await bed.call('messages', 'GET', '/api/messages/sent', { identity: { userId: sender.id } })).body,
    ).toMatchObject([{ audioUrl, senderUserId: sender.id }]);
    expect((await hear(audioUrl, { userId: sender.id })).status).toBe(404);
  });

  test('anyone can play a public voice message, only its owner a private one, and none a deleted one', async () => {
    const { id, audioUrl } = await sent();
    const publish = (isPublic: boolean) =>
      bed.call('messages', 'PATCH', `/api/messages/${id}`, { body: { isPublic }, identity: { userId: owner.id } });
    await publish(true);
    await bed.eventually(async () => expect((await hear(audioUrl, {})).status).toBe(200));
    expect((await bed.call('messages', 'GET', `/api/messages/public/${owner.id}`)).body).toMatchObject([
      { id, audioUrl },
    ]);
    await publish(false);
    await bed.eventually(async () => expect((await hear(audioUrl, {})).status).toBe(404));
    expect((await hear(audioUrl, { userId: owner.id })).status).toBe(200);
    await bed.call('messages', 'DELETE', `/api/messages/${id}`, { identity: { userId: owner.id } });
    await bed.eventually(async () => expect((await hear(audioUrl, { userId: owner.id })).status).toBe(404));
  });

  test('a voice message stores the previewed sound', async () => {
    const identity = { visitorId: randomUUID() };
    const preview = (await requestPreview(bed, identity)).body as { previewUrl: string };
    const heard = await hear(preview.previewUrl, identity);
    expect(heard.status).toBe(200);
    const { audioUrl } = await sent({ identity });
    expect((await hear(audioUrl, { userId: owner.id })).bytes.equals(heard.bytes)).toBe(true);
  });

  test('every voice message without a preview is altered differently', async () => {
    const [one, other] = [await sent(), await sent()];
    const [first, second] = await Promise.all([one, other].map(({ audioUrl }) => hear(audioUrl, { userId: owner.id })));
    expect(first?.bytes.equals(second?.bytes ?? Buffer.alloc(0))).toBe(false);
  });

  test('stores a repeated voice message once, concurrent or later, in any order of its parts', async () => {
    const key = randomUUID();
    const answers = await Promise.all([upload({ key }), upload({ key, order: 'audio last' }), upload({ key })]);
    answers.push(await upload({ key, order: 'audio last' }));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map((answer) => JSON.stringify(messageOf(answer)))).size).toBe(1);
    expect(await inbox()).toHaveLength(1);
  });

  test('keeps the voice of a recording altered on the device, once', async () => {
    const options = { key: randomUUID(), fields: { isAltered: 'true' } };
    const [one, retried] = [await upload(options), await upload(options)];
    expect([one.status, messageOf(retried)]).toEqual([201, messageOf(one)]);
    // Altering again would differ, so equal bytes show that it was kept.
    const again = await sent({ fields: { isAltered: 'true' } });
    const [first, second] = await Promise.all(
      [one.body as VoiceMessage, again].map(({ audioUrl }) => hear(audioUrl, { userId: owner.id })),
    );
    expect(first?.bytes.equals(second?.bytes ?? Buffer.alloc(0))).toBe(true);
  });

  test('refuses a key used for another recording or voice, but accepts it from another sender', async () => {
    const key = randomUUID();
    await sent({ key });
    const other = await readSample('speech-stereo.webm');
    for (const options of [{ audio: other }, { fields: { voiceType: 'male' } }, { fields: { isAltered: 'true' } }]) {
      expect(await upload({ key, ...options })).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
    }
    expect((await upload({ key, audio: other, identity: { visitorId: 'another' } })).status).toBe(201);
  });
});

describe('an upload', () => {
  const refusals: [string, SendOptions, number, Record<string, unknown>][] = [
    [
      'without a voice type',
      { fields: { voiceType: '' } },
      422,
      { code: 'invalid_input', fields: { voiceType: 'not_a_choice' } },
    ],
    [
      'with an unknown voice type',
      { fields: { voiceType: 'robot' } },
      422,
      { code: 'invalid_input', fields: { voiceType: 'not_a_choice' } },
    ],
    ...['', 'false', '1', 'TRUE'].map((isAltered): [string, SendOptions, number, Record<string, unknown>] => [
      `with an unknown marker, "${isAltered}"`,
      { fields: { isAltered } },
      422,
      { code: 'invalid_input', fields: { isAltered: 'not_a_choice' } },
    ]),
    ['to nobody', { fields: { userId: '' } }, 422, { code: 'invalid_input', fields: { userId: 'not_an_id' } }],
    ['to an account that does not exist', { fields: { userId: '999999' } }, 404, { code: 'user_not_found' }],
    [
      'with a length that is not a number',
      { fields: { duration: 'long' } },
      422,
      { code: 'invalid_input', fields: { duration: 'not_a_number' } },
    ],
    [
      'with a field that only the owner may set',
      { fields: { isPublic: 'true' } },
      422,
      { code: 'invalid_input', fields: { isPublic: 'unknown_field' } },
    ],
    ['without a recording', { audio: null }, 422, { code: 'invalid_input', fields: { audio: 'required' } }],
    ['of an empty file', { audio: Buffer.alloc(0) }, 422, { code: 'invalid_input', fields: { audio: 'unsupported' } }],
    [
      'of a text',
      { audio: Buffer.from('#EXTM3U\nfile:///etc/passwd\n') },
      422,
      { code: 'invalid_input', fields: { audio: 'unsupported' } },
    ],
    [
      'of more than 10 MB',
      { audio: Buffer.alloc(10 * 1024 * 1024 + 1) },
      413,
      { code: 'payload_too_large', fields: { audio: 'too_large' } },
    ],
  ];

  test('a wrong voice upload is refused and nothing is stored', async () => {
    for (const [name, options, status, body] of refusals)
      for (const order of ['audio first', 'audio last'] as const) {
        const answer = await upload({ ...options, order });
        expect({ name, order, ...answer }).toMatchObject({ name, order, status, body });
      }
    for (const [name, audio] of [
      ['four-minutes.webm', 'too_long'],
      ['video-only.webm', 'unsupported'],
      ['absurd-lengths.wav', 'too_short'],
    ] as const) {
      const { status, body } = await upload({ audio: await readSample(name) });
      expect({ name, status, body }).toMatchObject({ name, status: 422, body: { fields: { audio } } });
    }
    expect(await inbox()).toEqual([]);
  });

  test('a voice upload as JSON is refused', async () => {
    expect(await bed.call('messages', 'POST', '/api/audio/upload', { body: { userId: owner.id } })).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    });
  });
});

test('a voice upload is refused with Retry-After while media is down', async () => {
  const alone = await startTestBed({ services: ['auth', 'messages'], env: { RATE_LIMIT_SCALE: '0' } });
  try {
    const userId = (await alone.newAccount()).id;
    const answer = await sendVoice(alone, userId, { audio: recording });
    expect(answer).toMatchObject({ status: 503, body: { code: 'media_unavailable' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    await alone.stop();
  }
});

/** A stand-in for ffmpeg that passes the startup check and blocks every run until it is released. */
const blockingFfmpeg = (released: string) => `#!/bin/sh
case "$*" in *-version*) exit 0;; esac
while [ ! -e '${released}' ]; do sleep 0.1; done
exit 1
`;

test('a full queue refuses previews and uploads immediately with Retry-After', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'najwa-test-'));
  const [program, released] = [join(folder, 'ffmpeg'), join(folder, 'released')];
  await writeFile(program, blockingFfmpeg(released));
  await chmod(program, 0o700);
  const busy = await startTestBed({
    services: ['auth', 'media', 'messages'],
    env: { RATE_LIMIT_SCALE: '0', FFMPEG_BIN: program },
  });
  try {
    const { id } = await busy.newAccount();
    let senders = 0;
    /** Senders of other sites, because neither may have more than a few recordings waiting. */
    const newSender = () => {
      senders += 1;
      return { ip: `${20 + senders}.1.1.1`, visitorId: `visitor-${senders}` };
    };
    const refused: Answer[] = [];
    // More than may arrive and wait at once.
    const held = Array.from({ length: 120 }, async () => {
      const answer = await requestPreview(busy, newSender());
      if (answer.status === 503) refused.push(answer);
    });
    await busy.eventually(() => expect(refused.length).toBeGreaterThan(0));

    const preview = await requestPreview(busy, newSender());
    const upload = await sendVoice(busy, id, { audio: recording, identity: newSender() });
    for (const answer of [preview, upload, ...refused]) {
      expect(answer).toMatchObject({ status: 503, body: { code: expect.stringMatching(/^(media_)?unavailable$/) } });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await busy.call('messages', 'GET', '/api/messages', { identity: { userId: id } })).body).toEqual([]);

    await writeFile(released, '');
    await Promise.all(held);
  } finally {
    await busy.stop();
    await rm(folder, { recursive: true });
  }
});

test('a reported sound is removed with its report, also if its recipient left before', async () => {
  const context = await openReplica(bed);
  const sender = await bed.newAccount();
  const moderator = { userId: 1_000_001, isModerator: true };
  const { id, audioUrl } = await sent({ identity: sender.identity });
  const body = { messageId: id, reason: 'threat' };
  const reported = await bed.call('messages', 'POST', '/api/reports', { identity: { userId: owner.id }, body });
  expect(reported.status).toBe(201);
  const decision = { action: 'dismiss', reason: 'no threat', days: undefined, actorId: moderator.userId } as const;
  await actOnReport(context, (reported.body as { id: number }).id, decision);
  await eraseAccount(context, owner.id);
  await bed.eventually(async () => expect((await hear(audioUrl, { userId: owner.id })).status).toBe(404));
  expect((await hear(audioUrl, moderator)).status).toBe(200);

  const DAY_MS = 24 * 60 * 60 * 1000;
  await sweepReports(context, new Date(Date.now() + 181 * DAY_MS));
  await bed.eventually(async () => expect((await hear(audioUrl, moderator)).status).toBe(404));
  await context.database.close();
});
