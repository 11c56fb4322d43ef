import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { correlation, decode } from '../../services/media/tests/component/sound.js';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, takeShots, WORDS, system } from './browser.js';
import { newOwner } from './helpers.js';

const VOICE = new URL('../../services/media/tests/samples/speech-en-man-1034.wav', import.meta.url).pathname;

/** Tolerance in seconds between the page's clock and the recorder. */
const ROUNDING = 1;
const MAX_STRETCH = 1.08;

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser({ microphone: VOICE });
});

afterAll(() => browser.close());

type Overheard = typeof globalThis & { overheard: Blob[] };

/** Keeps a copy of the raw recording, to compare it with the delivered audio. */
async function overhear(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const pieces: Blob[] = [];
    (globalThis as Overheard).overheard = pieces;
    globalThis.MediaRecorder = class extends MediaRecorder {
      constructor(...args: ConstructorParameters<typeof MediaRecorder>) {
        super(...args);
        this.addEventListener('dataavailable', ({ data }) => pieces.push(data));
      }
    };
  });
}

async function recorded(page: Page): Promise<Buffer> {
  const bytes = await page.evaluate(async () => [
    ...new Uint8Array(await new Blob((globalThis as Overheard).overheard).arrayBuffer()),
  ]);
  return Buffer.from(bytes);
}

/** Waits until the recorder's clock shows the given number of seconds. */
const untilClock = (page: Page, seconds: number) =>
  page.waitForFunction((least) => {
    const digits = (document.querySelector('[role=timer]')?.textContent ?? '').replace(/[٠-٩]/g, (digit) =>
      String(digit.charCodeAt(0) - 0x0660),
    );
    const [minutes = '', rest = ''] = digits.split(':');
    return Number(minutes) * 60 + Number(rest) >= least;
  }, seconds);

const fetchSound = async (page: Page, source: string) => {
  const response = await page.request.get(source);
  return { status: response.status(), bytes: await response.body() };
};

describe.each(JOURNEY_LANGUAGES)('voice message (%s)', (language) => {
  const words = WORDS[language];
  const { recorder, player, publicPage, messages, wayBack } = words;

  test('is recorded, previewed with the new voice, sent, and played by its recipient', async () => {
    const { username, ...owner } = await newOwner(browser, language, 'voice');

    const { page, context } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await overhear(page);
    await page.goto(`/m/${username}`);
    await page.getByRole('button', { name: publicPage.composer.voice, exact: true }).click();
    await page.getByRole('button', { name: recorder.start }).waitFor();
    await takeShots(page, 'voice-idle', language);

    // Keyboard only: the focus is on the next control.
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

    // It says that it is disabled, for which Playwright would wait.
    await page.getByRole('button', { name: recorder.sendFirst }).click({ force: true });
    await page.getByText(recorder.missing, { exact: true }).waitFor();
    await takeShots(page, 'voice-missing', language);
    await page.getByRole('radio', { name: recorder.female }).check();
    expect(await page.getByText(recorder.missing, { exact: true }).count()).toBe(0);

    const answer = page.waitForResponse('**/api/audio/preview');
    await page.getByRole('button', { name: recorder.preview.hear }).last().click();
    const { previewUrl } = (await (await answer).json()) as { previewUrl: string };
    const preview = page.getByTestId('sound');
    await page.locator('[data-testid=sound][data-state=playing]').waitFor();
    await takeShots(page, 'voice-preview', language);
    await page.locator('[data-testid=sound][data-state=idle]').waitFor();
    await preview.getByRole('button', { name: player.play }).waitFor();
    const heard = await fetchSound(page, `/api${previewUrl}`);
    expect(heard.status).toBe(200);

    await page.getByRole('button', { name: recorder.send }).click();
    await page.getByText(recorder.done, { exact: true }).waitFor();
    await page.getByRole('heading', { name: wayBack.sent.title }).waitFor();
    await takeShots(page, 'voice-sent', language);

    await owner.page.reload();
    const card = owner.page.getByTestId('message');
    const sound = card.getByTestId('sound');
    await sound.getByRole('button', { name: player.play }).waitFor();
    await takeShots(owner.page, 'voice-received', language);
    const source = (await sound.locator('audio').getAttribute('src')) ?? '';
    expect((await fetchSound(page, source)).status).toBe(404);

    await sound.getByRole('button', { name: player.play }).click();
    await card.locator('[data-testid=sound][data-state=playing]').waitFor();
    await sound.getByRole('button', { name: player.pause }).click();
    await card.locator('[data-testid=sound][data-state=paused]').waitFor();
    await sound.getByRole('slider').focus();
    await owner.page.keyboard.press('End');
    await owner.page.keyboard.press('ArrowLeft');
    await takeShots(owner.page, 'voice-played', language);
    await sound.getByRole('button', { name: player.play }).click();
    await card.locator('[data-testid=sound][data-state=idle]').waitFor();

    const arrived = await fetchSound(owner.page, source);
    expect(arrived.bytes.equals(heard.bytes)).toBe(true);
    const [before, after] = [await decode(await recorded(page)), await decode(arrived.bytes)];
    expect(before.seconds).toBeGreaterThan(4 - ROUNDING);
    expect(before.seconds).toBeLessThan(elapsedSeconds + ROUNDING);
    expect(after.seconds).toBeGreaterThanOrEqual(before.seconds - 0.05);
    expect(after.seconds).toBeLessThan(before.seconds * MAX_STRETCH + 0.1);
    expect(Math.max(...before.samples)).toBeGreaterThan(0.02);
    expect(correlation(before.samples, after.samples)).toBeLessThan(0.3);

    // While it is private, its sender hears it by the way back.
    const publicUrl = page.url();
    await page.goto('/r');
    await page.getByRole('link', { name: wayBack.list.voice }).click();
    const ownSound = page.getByTestId('sound');
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

  test('shows every failure and keeps the recording', async () => {
    const { username, ...owner } = await newOwner(browser, language, 'deaf');
    await owner.context.close();

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
    const begin = async () => {
      await page.goto(`/m/${username}`);
      await page.getByRole('button', { name: publicPage.composer.voice, exact: true }).click();
      await page.getByRole('button', { name: recorder.start }).click();
    };

    await page.addInitScript(() => {
      // The empty page before the first one has no microphone.
      if (location.protocol === 'about:') return;
      const { mediaDevices } = navigator;
      const ask = mediaDevices.getUserMedia.bind(mediaDevices);
      mediaDevices.getUserMedia = (wishes) =>
        location.hash === '#denied' ? Promise.reject(new DOMException('Denied.', 'NotAllowedError')) : ask(wishes);
      if (location.hash === '#old') Reflect.deleteProperty(window, 'MediaRecorder');
    });
    await page.goto(`/m/${username}#old`);
    await page.getByRole('button', { name: publicPage.composer.voice, exact: true }).click();
    await page.getByRole('button', { name: recorder.start }).click();
    await show('voice-unsupported', recorder.failed.microphone, recorder.failed.unsupported);
    await page.goto('about:blank');
    await page.goto(`/m/${username}#denied`);
    await page.getByRole('button', { name: publicPage.composer.voice, exact: true }).click();
    await page.getByRole('button', { name: recorder.start }).click();
    await show('voice-denied', recorder.failed.start, recorder.failed.permission);

    await page.goto('about:blank');
    await begin();
    await untilClock(page, 1);
    await page.getByRole('button', { name: recorder.stop }).click();
    await page.getByRole('radio', { name: recorder.male, exact: true }).check();
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
    await show('voice-failed', recorder.failed.send, '422');

    await page.route('**/api/audio/stream/*', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('button', { name: recorder.preview.hear }).last().click();
    await page.getByText(player.failed, { exact: true }).waitFor();
    await takeShots(page, 'voice-unplayable', language);

    await page.getByRole('button', { name: recorder.send }).click();
    await page.getByText(recorder.done, { exact: true }).waitFor();
    await context.close();
  });

  test('shows its sender a sealed card, and a player once it is published', async () => {
    const owner = await newOwner(browser, language, 'owner');
    const sender = await newOwner(browser, language, 'sender');
    const { id: userId } = (await (await owner.page.request.get('/api/user')).json()) as { id: number };
    const headers = { 'x-requested-with': 'XMLHttpRequest' };
    const audio = { name: 'voice', mimeType: 'audio/wav', buffer: await readFile(VOICE) };
    const upload = await sender.page.request.post('/api/audio/upload', {
      headers,
      multipart: { audio, userId: String(userId), voiceType: 'male' },
    });
    expect(upload.status()).toBe(201);
    const { id } = (await upload.json()) as { id: number };

    const card = sender.page.getByTestId('message');
    await sender.page.reload();
    await card.getByText(messages.card.voiceSealed).waitFor();
    expect(await card.getByTestId('sound').count()).toBe(0);
    await takeShots(sender.page, 'voice-sealed', language);

    expect(
      (await owner.page.request.patch(`/api/messages/${String(id)}`, { headers, data: { isPublic: true } })).status(),
    ).toBe(200);
    await sender.page.reload();
    await card.getByRole('button', { name: player.play }).click();
    await card.locator('[data-state=playing]').waitFor();
    await Promise.all([owner.context.close(), sender.context.close()]);
  });
});
