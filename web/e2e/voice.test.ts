// Long run: everything about recording in the browser.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { correlation, decode, pausesIn } from '../../services/media/tests/component/sound.js';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, takeShots, WORDS, system } from './browser.js';
import { newPersonOf, unfold } from './helpers.js';
import { call } from './states/sweep.js';

const VOICE = new URL('../../services/media/tests/samples/speech-en-man-1034.wav', import.meta.url).pathname;

/** Tolerance in seconds between the page's clock and the recorder. */
const ROUNDING = 1;
const MAX_STRETCH = 1.08;

const browser = await launchBrowser({ microphone: VOICE });

type Overheard = typeof globalThis & {
  overheard: Blob[];
  decoded: Float32Array<ArrayBuffer>[];
  heard: Map<string, Blob>;
};

/** In the page. Lists of numbers would take seconds to cross over. */
declare function asUrl(blob: Blob): Promise<string>;

/** Copies the raw recording, encoded and decoded, and what the page plays. */
async function overhear(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const pieces: Blob[] = [];
    const decoded: Float32Array<ArrayBuffer>[] = [];
    const heard = new Map<string, Blob>();
    const asUrl = (blob: Blob) =>
      new Promise((resolve) => {
        const reader = new FileReader();
        reader.onload = () => {
          resolve(reader.result);
        };
        reader.readAsDataURL(blob);
      });
    Object.assign(globalThis, { overheard: pieces, decoded, heard, asUrl });
    const name = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (thing) => {
      const url = name(thing);
      if (thing instanceof Blob) heard.set(url, thing);
      return url;
    };
    globalThis.OfflineAudioContext = class extends OfflineAudioContext {
      override async decodeAudioData(file: ArrayBuffer) {
        const sound = await super.decodeAudioData(file);
        decoded.push(sound.getChannelData(0).slice());
        return sound;
      }
    };
    globalThis.MediaRecorder = class extends MediaRecorder {
      constructor(...args: ConstructorParameters<typeof MediaRecorder>) {
        super(...args);
        this.addEventListener('dataavailable', ({ data }) => pieces.push(data));
      }
    };
  });
}

const fromUrl = (url: string): Buffer => Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');

async function recorded(page: Page): Promise<Buffer> {
  return fromUrl(await page.evaluate(() => asUrl(new Blob((globalThis as Overheard).overheard))));
}

/** By object URL. */
async function heardIn(page: Page, url: string): Promise<Buffer> {
  return fromUrl(
    await page.evaluate((address) => asUrl((globalThis as Overheard).heard.get(address) ?? new Blob()), url),
  );
}

/** As the page has it and as it would be in a file. */
async function decodedIn(page: Page): Promise<Buffer[]> {
  const floats = fromUrl(await page.evaluate(() => asUrl(new Blob((globalThis as Overheard).decoded))));
  const pcm = Buffer.alloc(floats.length / 2);
  for (let place = 0; place < pcm.length; place += 2)
    pcm.writeInt16LE(Math.round(Math.min(Math.max(floats.readFloatLE(2 * place), -1), 1) * 32_767), place);
  return [floats, pcm];
}

/** The browser's requests, as on the wire. */
async function tapWire() {
  const pieces: Buffer[] = [];
  const server = createServer((incoming, answer) => {
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    const { method, headers } = incoming;
    const outgoing = request(incoming.url ?? '', { ...(method !== undefined && { method }), headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    answer.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    sent: () => Buffer.concat(pieces),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Everything stored on the device. */
async function keptIn(page: Page): Promise<Buffer> {
  const kept = await page.evaluate(async () => {
    const parts: BlobPart[] = [];
    const add = (value: unknown): void => {
      if (value instanceof Blob || value instanceof ArrayBuffer || ArrayBuffer.isView(value))
        parts.push(value as BlobPart);
      else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) add(part);
      else parts.push(String(value));
    };
    const done = <Result>(asked: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        asked.onsuccess = () => {
          resolve(asked.result);
        };
        asked.onerror = () => {
          reject(new Error('The database cannot be read.'));
        };
      });
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name ?? ''));
      for (const store of database.objectStoreNames)
        for (const value of await done<unknown[]>(database.transaction(store).objectStore(store).getAll())) add(value);
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const key of await cache.keys()) add(await (await cache.match(key))?.blob());
    }
    add({ ...localStorage });
    add({ ...sessionStorage });
    return asUrl(new Blob(parts));
  });
  return fromUrl(kept);
}

const WINDOW_BYTES = 32;

/** Counts short pieces of the sound in these bytes. Constant pieces are in anything. */
function piecesIn(bytes: Buffer, sound: Buffer): number {
  let found = 0;
  for (let start = 0; start + WINDOW_BYTES <= sound.length; start += WINDOW_BYTES) {
    const piece = sound.subarray(start, start + WINDOW_BYTES);
    if (new Set(piece).size > 8 && bytes.includes(piece)) found += 1;
  }
  return found;
}

const untilClock = (page: Page, seconds: number) =>
  page.waitForFunction((least) => {
    const digits = (document.querySelector('[role=timer]')?.textContent ?? '').replace(/[٠-٩]/g, (digit) =>
      String(digit.charCodeAt(0) - 0x0660),
    );
    const [minutes = '', rest = ''] = digits.split(':');
    return Number(minutes) * 60 + Number(rest) >= least;
  }, seconds);

/** Over and over: a busy machine pauses a sound of some seconds too late. */
const repeat = (sound: Locator, isRepeated: boolean) =>
  sound.locator('audio').evaluate((audio: HTMLAudioElement, wanted) => {
    audio.loop = wanted;
  }, isRepeated);

const fetchSound = async (page: Page, source: string) => {
  const response = await page.request.get(source);
  return { status: response.status(), bytes: await response.body() };
};

describe.each(JOURNEY_LANGUAGES)('voice message (%s)', (language) => {
  const words = WORDS[language];
  const { recorder, player, publicPage, messages, wayBack } = words;

  test('a voice message is recorded, previewed with the new voice, sent, and played by its recipient', async () => {
    const account = await system.newAccount();
    const { username } = account;
    const { page, context } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await overhear(page);
    await page.goto(`/m/${username}`);
    await page.getByRole('button', { name: publicPage.composer.voice, exact: true }).click();
    await page.getByRole('button', { name: recorder.start }).waitFor();
    await takeShots(page, 'voice-idle', language);

    // By keyboard: the focus is on the next control.
    const startedAt = performance.now();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: recorder.stop }).waitFor();
    await untilClock(page, 2);
    await takeShots(page, 'voice-recording', language);
    await page.getByRole('button', { name: recorder.pause, exact: true }).click();
    await page.getByText(recorder.announcements.paused).waitFor({ state: 'attached' });
    await takeShots(page, 'voice-paused', language);
    await page.getByRole('button', { name: recorder.resume }).click();
    await untilClock(page, 4);
    await page.getByRole('button', { name: recorder.stop }).click();
    await page.getByText(recorder.ready, { exact: true }).waitFor();
    const elapsedSeconds = (performance.now() - startedAt) / 1_000;
    await takeShots(page, 'voice-ready', language);

    // It is aria-disabled, for which Playwright would wait.
    await page.getByRole('button', { name: recorder.sendFirst }).click({ force: true });
    await page.getByText(recorder.missing, { exact: true }).waitFor();
    await takeShots(page, 'voice-missing', language);
    await page.getByRole('radio', { name: recorder.female }).check();
    expect(await page.getByText(recorder.missing, { exact: true }).count()).toBe(0);

    await page.getByText(recorder.changed.device).waitFor();
    await page.getByRole('button', { name: recorder.preview.hear }).last().click();
    const preview = page.getByTestId('sound');
    await page.locator('[data-testid=sound][data-state=playing]').waitFor();
    await takeShots(page, 'voice-preview', language);
    await page.locator('[data-testid=sound][data-state=idle]').waitFor();
    await preview.getByRole('button', { name: player.play }).waitFor();
    const heard = await heardIn(page, (await preview.locator('audio').getAttribute('src')) ?? '');

    await page.getByRole('button', { name: recorder.send }).click();
    await page.getByRole('heading', { name: wayBack.sent.title }).waitFor();
    await takeShots(page, 'voice-sent', language);

    const owner = await newPersonOf(account, browser, language);
    await owner.page.goto('/profile');
    const card = await unfold(owner.page.getByTestId('message'));
    const sound = card.getByTestId('sound');
    await sound.getByRole('button', { name: player.play }).waitFor();
    await takeShots(owner.page, 'voice-received', language);
    const source = (await sound.locator('audio').getAttribute('src')) ?? '';
    expect((await fetchSound(page, source)).status).toBe(404);

    await repeat(sound, true);
    await sound.getByRole('button', { name: player.play }).click();
    await card.locator('[data-testid=sound][data-state=playing]').waitFor();
    await sound.getByRole('button', { name: player.pause }).click();
    await card.locator('[data-testid=sound][data-state=paused]').waitFor();
    await repeat(sound, false);
    await sound.getByRole('slider').focus();
    await owner.page.keyboard.press('End');
    await owner.page.keyboard.press('ArrowLeft');
    await takeShots(owner.page, 'voice-played', language);
    await sound.getByRole('button', { name: player.play }).click();
    await card.locator('[data-testid=sound][data-state=idle]').waitFor();

    const arrived = await fetchSound(owner.page, source);
    const [before, after] = [await decode(await recorded(page)), await decode(arrived.bytes)];
    expect(correlation((await decode(heard)).samples, after.samples)).toBeGreaterThan(0.8);
    expect(before.seconds).toBeGreaterThan(4 - ROUNDING);
    expect(before.seconds).toBeLessThan(elapsedSeconds + ROUNDING);
    expect(after.seconds).toBeGreaterThanOrEqual(before.seconds - pausesIn(before) - 0.05);
    expect(after.seconds).toBeLessThan(before.seconds * MAX_STRETCH + 0.1);
    expect(Math.max(...before.samples)).toBeGreaterThan(0.02);
    expect(correlation(before.samples, after.samples)).toBeLessThan(0.3);

    // While it is private, its sender hears it on the way back.
    const publicUrl = page.url();
    await page.goto('/r');
    await page.getByRole('link', { name: wayBack.list.voice }).click();
    const ownSound = page.getByTestId('sound');
    await repeat(ownSound, true);
    await ownSound.getByRole('button', { name: player.play }).click();
    await page.locator('[data-testid=sound][data-state=playing]').waitFor();
    await ownSound.getByRole('button', { name: player.pause }).click();
    await page.goto(publicUrl);

    await card.getByRole('button', { name: messages.action.publish, exact: true }).click();
    await card.getByText(messages.badge.published, { exact: true }).waitFor();
    const published = page.getByTestId('public-message').getByTestId('sound');
    await system.eventually(async () => {
      await page.reload();
      await page.getByRole('heading', { name: publicPage.list }).waitFor();
      expect(await published.count()).toBe(1);
    });
    await published.getByRole('button', { name: player.play }).click();
    await page.locator('[data-testid=public-message] [data-state=playing]').waitFor();
    await takeShots(page, 'voice-published', language);
    await Promise.all([owner.context.close(), context.close()]);
  });

  // Threat model: admin-9, device-6.
  test('a voice is altered on the device: nothing of the recording is in a request or stored', async () => {
    const { username, cookie } = await system.newAccount();
    const wire = await tapWire();
    const { page, context } = await newPerson(browser, system.url, language, { proxy: wire.url });
    await overhear(page);
    await page.goto(`/m/${username}`);
    const record = async () => {
      await page.getByRole('button', { name: publicPage.composer.voice, exact: true }).click();
      await page.getByRole('button', { name: recorder.start }).click();
      await untilClock(page, 2);
      await page.getByRole('button', { name: recorder.stop }).click();
      await page.getByRole('radio', { name: recorder.male, exact: true }).check();
      await page.getByRole('button', { name: recorder.preview.hear }).last().click();
      const source = await page.locator('[data-testid=sound] audio').getAttribute('src');
      return heardIn(page, source ?? '');
    };
    const expectNothingOfIt = async () => {
      const places = [wire.sent(), await keptIn(page)];
      for (const sound of [await recorded(page), ...(await decodedIn(page))]) {
        expect(sound.length).toBeGreaterThan(10_000);
        expect(places.map((place) => piecesIn(place, sound))).toEqual([0, 0]);
      }
    };

    const first = await record();
    await takeShots(page, 'voice-on-device', language);
    const before = wire.sent().length;
    await expectNothingOfIt();
    expect(piecesIn(wire.sent(), first)).toBe(0);
    await page.getByRole('button', { name: recorder.send }).click();
    await page.getByRole('heading', { name: wayBack.sent.title }).waitFor();
    await expectNothingOfIt();
    expect(wire.sent().length).toBeGreaterThan(before + first.length);
    expect(piecesIn(wire.sent(), first)).toBeGreaterThan(100);

    // Offline it waits on the device as previewed.
    await page.getByText(wayBack.sent.more, { exact: true }).click();
    await page.getByRole('button', { name: wayBack.sent.again }).click();
    await context.setOffline(true);
    const second = await record();
    await page.getByRole('button', { name: recorder.send }).click();
    await page.getByTestId('waiting').waitFor();
    await expectNothingOfIt();
    expect(piecesIn(await keptIn(page), second)).toBeGreaterThan(100);
    await context.setOffline(false);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await system.eventually(async () => {
      expect(await call('GET', '/api/messages', cookie)).toHaveLength(2);
    });
    await expectNothingOfIt();
    expect(piecesIn(wire.sent(), second)).toBeGreaterThan(100);
    wire.close();
    await context.close();
  });

  test('a failed alteration on the server shows its reason and keeps the recording', async () => {
    const { username } = await system.newAccount();
    const { page, context } = await newPerson(browser, system.url, language);
    const toast = page.getByRole('region').getByRole('listitem');
    const show = async (name: string, title: string, text: string) => {
      await toast.getByText(title, { exact: true }).waitFor();
      await toast.getByText(text).waitFor();
      await takeShots(page, name, language);
    };
    /** Blocks a request until the returned function sets its status. */
    const holdUp = async (path: string) => {
      let end: (status: number) => void = () => undefined;
      const status = new Promise<number>((resolve) => (end = resolve));
      await page.route(
        path,
        async (route) => route.fulfill({ status: await status, json: { code: 'unavailable', message: '' } }),
        { times: 1 },
      );
      return end;
    };
    await page.addInitScript(() => {
      Reflect.deleteProperty(window, 'OfflineAudioContext');
    });
    await page.goto(`/m/${username}`);
    await page.getByRole('button', { name: publicPage.composer.voice, exact: true }).click();
    const start = page.getByRole('button', { name: recorder.start });
    await start.waitFor();
    await page.evaluate(() => {
      Object.assign(window, { kept: MediaRecorder });
      Reflect.deleteProperty(window, 'MediaRecorder');
    });
    await start.click();
    await show('voice-unsupported', recorder.failed.microphone, recorder.failed.unsupported);
    await page.evaluate(() => {
      Object.assign(window, { MediaRecorder: (window as unknown as { kept: typeof MediaRecorder }).kept });
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('Denied.', 'NotAllowedError'));
    });
    await start.click();
    await show('voice-denied', recorder.failed.start, recorder.failed.permission);

    await page.evaluate(() => Reflect.deleteProperty(navigator.mediaDevices, 'getUserMedia'));
    await start.click();
    await untilClock(page, 1);
    await page.getByRole('button', { name: recorder.stop }).click();
    await page.getByRole('radio', { name: recorder.male, exact: true }).check();
    await page.getByText(recorder.changed.server).waitFor();
    await takeShots(page, 'voice-by-server', language);
    const endPreview = await holdUp('**/api/audio/preview');
    await page.getByRole('button', { name: recorder.preview.hear }).last().click();
    await page.getByText(recorder.preview.pending, { exact: true }).waitFor();
    await takeShots(page, 'voice-preparing', language);
    endPreview(422);
    await show('voice-preview-failed', recorder.failed.error, recorder.failed.preview);

    const endUpload = await holdUp('**/api/audio/upload');
    await page.getByRole('button', { name: recorder.send }).click();
    await page.getByText(recorder.sending, { exact: true }).waitFor();
    await takeShots(page, 'voice-sending', language);
    endUpload(422);
    await show(
      'voice-failed',
      recorder.failed.send,
      new Intl.NumberFormat(language === 'ar' ? 'ar-EG' : language).format(422),
    );

    await page.route('**/api/audio/stream/*', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('button', { name: recorder.preview.hear }).last().click();
    await page.getByText(player.failed, { exact: true }).waitFor();
    await takeShots(page, 'voice-unplayable', language);

    await page.getByRole('button', { name: recorder.send }).click();
    await page.getByRole('heading', { name: wayBack.sent.title }).waitFor();
    await context.close();
  });

  test('the sender of a voice message sees a sealed card, and a player once it is published', async () => {
    const [owner, author] = [await system.newAccount(), await system.newAccount()];
    const { page, context } = await newPersonOf(author, browser, language);
    const headers = { 'x-requested-with': 'XMLHttpRequest', 'idempotency-key': randomUUID() };
    const audio = { name: 'voice', mimeType: 'audio/wav', buffer: await readFile(VOICE) };
    const multipart = { audio, userId: String(owner.id), voiceType: 'male' };
    let id = 0;
    // A busy machine may alter it too late, and is asked again.
    await system.eventually(async () => {
      const upload = await context.request.post('/api/audio/upload', { headers, multipart });
      expect(upload.status()).toBe(201);
      id = ((await upload.json()) as { id: number }).id;
    });

    await page.goto('/profile');
    const card = await unfold(page.getByTestId('message'));
    await card.getByText(messages.card.voiceSealed).waitFor();
    expect(await card.getByTestId('sound').count()).toBe(0);
    await takeShots(page, 'voice-sealed', language);

    await call('PATCH', `/api/messages/${String(id)}`, owner.cookie, { isPublic: true });
    await page.reload();
    await unfold(page.getByTestId('message'));
    await card.getByRole('button', { name: player.play }).click();
    await card.locator('[data-state=playing]').waitFor();
    await context.close();
  });
});
