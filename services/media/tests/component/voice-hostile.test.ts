// Long run: hostile recordings.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sample, startMediaBed, voiceForm, type MediaBed } from './media-bed.js';

let media: MediaBed;
let recordingsFolder: string;

beforeAll(async () => {
  recordingsFolder = await mkdtemp(join(tmpdir(), 'najwa-test-'));
  media = await startMediaBed({ RATE_LIMIT_SCALE: '0', RECORDINGS_FOLDER: recordingsFolder });
});

afterAll(async () => {
  await media.stop();
  expect(await readdir(recordingsFolder, { recursive: true })).toHaveLength(1);
  await rm(recordingsFolder, { recursive: true });
});

const expectRefusal = async (
  send: () => Promise<{ status: number; body: unknown }>,
  status: number,
  body: unknown,
): Promise<void> => {
  const before = await media.listObjects();
  expect(await send()).toMatchObject({ status, body });
  expect(await media.listObjects()).toEqual(before);
};

describe('an unacceptable file', () => {
  // Threat model: sender-19.
  test.each([
    ['empty.webm', 'unsupported'],
    ['random.webm', 'unsupported'],
    ['video-only.webm', 'unsupported'],
    ['hls-reads-local-file.webm', 'unsupported'],
    ['ffconcat-reads-local-file.webm', 'unsupported'],
    ['silence-5s.webm', 'silent'],
    ['absurd-lengths.wav', 'too_short'],
    ['four-minutes.webm', 'too_long'],
    ['photo.png', 'unsupported'],
  ])('the file %s is refused as %s and nothing is stored', async (name, fault) => {
    const recording = await sample(name);
    await expectRefusal(() => media.preview(recording), 422, {
      code: 'invalid_input',
      fields: { audio: fault },
      ...(fault === 'too_long' && { message: expect.stringContaining('3 minutes') as unknown }),
    });
    // One altered by the service is read as a preview is.
    await expect(media.morph(recording, { isAltered: true })).rejects.toMatchObject({
      code: 'invalid_input',
      fields: { audio: fault },
    });
  });

  test('a recording of more than 10 MB is refused, and one of exactly 10 MB is read', async () => {
    const large = Buffer.concat([await sample('speech-en-man-1034.wav'), Buffer.alloc(10 * 1024 * 1024)]);
    await expectRefusal(() => media.preview(large), 413, { code: 'payload_too_large' });
    await expect(media.morph(large)).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(
      (await media.preview(Buffer.concat([Buffer.from('no sound'), large]).subarray(0, 10 * 1024 * 1024))).status,
    ).toBe(422);
  });

  // Threat model: sender-19.
  test.each([
    '#EXTM3U\n',
    'ffconcat version 1.0\n',
    '<?xml version="1.0"?><MPD></MPD>',
    'v=0\no=- 0 0 IN IP4 127.0.0.1\n',
  ])('%j after the signature of a recording opens no connection', async (script) => {
    let connections = 0;
    const server = createServer((_request, response) => response.end()).on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.wav`;
    server.unref();
    for (const head of ['OggS\0\0\0\0\0\0\0\0', '\x1a\x45\xdf\xa3', '\0\0\0\x20ftypM4A ', 'RIFF\0\0\0\0WAVE', '']) {
      const disguised = Buffer.from(`${head}${script}#EXTINF:1,\n${address}\nfile '${address}'\n`, 'latin1');
      expect((await media.preview(disguised)).status).toBe(422);
    }
    server.close();
    expect(connections).toBe(0);
  });
});

describe('a form', () => {
  const send = (body: RequestInit['body'], headers: Record<string, string> = {}) =>
    media.bed.call('media', 'POST', '/api/audio/preview', { init: { body: body ?? null, headers } });
  const speech = () => sample('speech-0.3s.webm');

  test.each<[string, Record<string, string>, unknown]>([
    ['without a voice', { isPreview: 'true' }, { voiceType: 'not_a_choice' }],
    ['with an unknown voice', { voiceType: 'robot', isPreview: 'true' }, { voiceType: 'not_a_choice' }],
    ['without isPreview', { voiceType: 'male' }, { isPreview: 'not_a_choice' }],
    ['with an unknown field', { voiceType: 'male', isPreview: 'true', alpha: '1' }, { alpha: 'unknown_field' }],
  ])('a voice form %s is refused', async (_name, fields, faults) => {
    const recording = await speech();
    await expectRefusal(() => send(voiceForm(recording, fields)), 422, { code: 'invalid_input', fields: faults });
  });

  test('a voice form without a recording is refused', async () => {
    const form = new FormData();
    form.set('voiceType', 'male');
    form.set('isPreview', 'true');
    await expectRefusal(() => send(form), 422, { fields: { audio: 'required' } });
    form.set('audio', 'words');
    await expectRefusal(() => send(form), 422, { code: 'invalid_input' });
  });

  test('a voice form with two recordings, repeated, unnamed, many or long fields is refused', async () => {
    const recording = await speech();
    const twoFiles = voiceForm(recording, { voiceType: 'male', isPreview: 'true' });
    twoFiles.append('audio', new File(['again'], 'again.webm'));
    const twice = voiceForm(recording, { voiceType: 'male', isPreview: 'true' });
    twice.append('voiceType', 'female');
    const long = voiceForm(recording, { voiceType: 'm'.repeat(100_000), isPreview: 'true' });
    const many = voiceForm(
      recording,
      Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`field${index}`, 'x'])),
    );
    const nameless = voiceForm(recording, { voiceType: 'male' });
    nameless.append('', 'female');
    for (const form of [twoFiles, twice, many, nameless])
      await expectRefusal(() => send(form), 400, { code: 'malformed' });
    await expectRefusal(() => send(long), 413, { code: 'payload_too_large' });
  });

  test('an invalid multipart voice form is refused', async () => {
    await expectRefusal(() => send('{}', { 'content-type': 'application/json' }), 415, {
      code: 'unsupported_media_type',
    });
    await expectRefusal(() => send('audio', { 'content-type': 'multipart/form-data' }), 400, { code: 'malformed' });
    await expectRefusal(
      () =>
        send('--x\r\nContent-Disposition: form-data; name="audio"; filename="a"\r\n\r\nOggS', {
          'content-type': 'multipart/form-data; boundary=x',
        }),
      400,
      { code: 'malformed' },
    );
  });
});
