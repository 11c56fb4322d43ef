// Long run: notices on a device.
import { createECDH, randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page, Worker } from 'playwright-core';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, system, WORDS } from './browser.js';
import { callAs, look, newOwner, ownIdOf, sendTo, WRITTEN } from './helpers.js';

const browser = await launchBrowser({ hasWindows: true });

function newSubscription() {
  const ecdh = createECDH('prime256v1');
  const keys = { p256dh: ecdh.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
  return { endpoint: `https://push.invalid/${randomBytes(16).toString('base64url')}`, keys };
}

const allowNotifications = (context: BrowserContext) =>
  context.grantPermissions(['notifications', 'clipboard-read', 'clipboard-write'], { origin: system.url });

/**
 * Subscribes without a push service, which tests cannot reach. Permission, worker and notifications are the browser's
 * own.
 */
async function standInForPushService(context: BrowserContext): Promise<void> {
  await allowNotifications(context);
  await context.addInitScript((json) => {
    PushManager.prototype.getSubscription = () => Promise.resolve(null);
    PushManager.prototype.subscribe = () => Promise.resolve({ toJSON: () => json } as unknown as PushSubscription);
  }, newSubscription());
}

/**
 * As the browser delivers a decrypted push.
 * @returns the worker, after a notification. Listing earlier makes Chromium drop those not yet on the screen.
 */
async function deliver(page: Page, payload: unknown): Promise<Worker> {
  const context = page.context();
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  const shown = await worker.evaluateHandle(() => {
    const { registration } = self as unknown as ServiceWorkerGlobalScope;
    const show = registration.showNotification.bind(registration);
    const done = new Promise<void>((resolve) => {
      registration.showNotification = async (...notification) => {
        await show(...notification);
        resolve();
      };
    });
    return { done };
  });
  const session = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL, isDeleted }) => !isDeleted && scopeURL.startsWith(system.url));
      if (found) resolve(found.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  const data = JSON.stringify(payload);
  await session.send('ServiceWorker.deliverPushMessage', { origin: system.url, registrationId, data });
  await session.detach();
  await shown.evaluate(({ done }) => done);
  return worker;
}

const shownIn = (worker: Worker) =>
  worker.evaluate(async () => {
    const { registration } = self as unknown as ServiceWorkerGlobalScope;
    return (await registration.getNotifications()).map(({ title, body, lang, tag }) => ({ title, body, lang, tag }));
  });

/** As browsers do that replace a subscription. */
const changeSubscription = (worker: Worker) =>
  worker.evaluate((json) => {
    const event = new ExtendableEvent('pushsubscriptionchange');
    const newSubscription = { toJSON: () => json };
    self.dispatchEvent(Object.assign(event, { oldSubscription: null, newSubscription }));
  }, newSubscription());

/** Opening a window needs a real click, so this takes the URL instead. */
const addressBehind = (worker: Worker, tag: string) =>
  worker.evaluate(async (wanted) => {
    const scope = self as unknown as ServiceWorkerGlobalScope;
    const [notification] = await scope.registration.getNotifications({ tag: wanted });
    if (notification === undefined) throw new Error('There is no such notification.');
    return new Promise<string>((resolve) => {
      scope.clients.openWindow = (url) => {
        const { pathname, hash } = new URL(url);
        resolve(pathname + hash);
        return Promise.resolve(null);
      };
      scope.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
    });
  }, tag);

describe.each(JOURNEY_LANGUAGES)('push notifications (%s)', (language) => {
  const { common, notices, notifications, settings, publicPage, wayBack } = WORDS[language];
  const name = language === 'ar' ? 'نجوى' : 'Najwa';

  test('push is offered after some read messages, follows the chosen kinds, and names only the kind', async () => {
    const { page, context } = await newOwner(browser, language, 'told');
    await standInForPushService(context);
    await page.reload();
    const ownerId = await ownIdOf(page);
    for (const content of WRITTEN[language].messages.slice(0, 3)) await sendTo(system, ownerId, content);
    await system.eventually(async () =>
      expect((await callAs(page, 'GET', '/api/notifications/count')).body).toEqual({ unread: 3 }),
    );
    const bell = page.getByTestId('bell');
    await bell.click();
    const panel = page.getByRole('dialog', { name: notifications.title });
    await panel.getByTestId('notification').first().waitFor();
    expect(await panel.getByRole('heading', { name: notices.ask }).count()).toBe(0);
    await panel.getByRole('button', { name: notifications.readAll }).click();
    await panel.getByRole('heading', { name: notices.ask }).waitFor();
    await look(page, 'notices-ask', language);
    await panel.getByRole('button', { name: notices.yes }).click();
    await panel.getByRole('heading', { name: notices.ask }).waitFor({ state: 'detached' });

    await panel.getByRole('link', { name: notifications.settings }).click();
    await page.getByRole('heading', { name: notices.title }).waitFor();
    await page.getByTestId('told-device').getByText(notices.devices.own, { exact: true }).waitFor();
    await look(page, 'settings-notices', language);
    await page.getByRole('switch', { name: `${notices.kind.visits} · ${notices.column}` }).click();
    await page.getByRole('switch', { name: `${notices.kind.reply} · ${notices.column}` }).click();
    await page.getByLabel(notices.quiet.from, { exact: true }).fill('22:15');
    const subscriptions = async () =>
      (await callAs(page, 'GET', '/api/push/subscriptions')).body as { id: string; kinds: string[]; quiet: object }[];
    await system.eventually(async () =>
      expect(await subscriptions()).toMatchObject([
        { kinds: ['message', 'visits'], quiet: { from: '22:15', to: '07:30' }, language },
      ]),
    );

    const worker = await deliver(page, { kind: 'message', language });
    expect(await shownIn(worker)).toEqual([
      { title: name, body: notices.kind.message, lang: language, tag: 'message' },
    ]);
    await page.goto('/');
    expect(await addressBehind(worker, 'message')).toBe('/profile#messages');
    const [earlier] = await subscriptions();
    await changeSubscription(worker);
    await system.eventually(async () => {
      const [now, ...others] = await subscriptions();
      expect(now).toMatchObject({ kinds: ['message', 'visits'], quiet: { from: '22:15', to: '07:30' }, language });
      expect(now?.id).not.toBe(earlier?.id);
      expect(others).toEqual([]);
    });
    await page.goto('/');
    const idKept = () => page.evaluate(() => localStorage.getItem('push-subscription'));
    await system.eventually(async () => expect(await idKept()).toBe((await subscriptions())[0]?.id));

    // As if the server's key had been replaced since.
    const [before] = await subscriptions();
    await context.addInitScript((json) => {
      const options = { applicationServerKey: new Uint8Array(65).buffer };
      const old = { options, unsubscribe: () => Promise.resolve(true) } as unknown as PushSubscription;
      PushManager.prototype.getSubscription = () => Promise.resolve(old);
      PushManager.prototype.subscribe = () => Promise.resolve({ toJSON: () => json } as unknown as PushSubscription);
    }, newSubscription());
    await page.goto('/');
    await system.eventually(async () => {
      const [now, ...others] = await subscriptions();
      expect(now?.id).not.toBe(before?.id);
      expect(now).toMatchObject({ kinds: ['message', 'visits'], quiet: { from: '22:15', to: '07:30' }, language });
      expect(others).toEqual([]);
      expect(await idKept()).toBe(now?.id);
    });

    // Once some permissions are granted, the browser denies the others.
    await context.clearPermissions();
    await context.grantPermissions(['clipboard-read'], { origin: system.url });
    await page.goto('/profile');
    await bell.click();
    await panel.getByText(notices.blocked, { exact: true }).waitFor();
    await look(page, 'notices-blocked', language);
    await allowNotifications(context);
    await page.goto('/settings/notices');
    await page.getByTestId('told-device').getByText(notices.devices.own, { exact: true }).waitFor();

    await page.getByRole('button', { name: notices.devices.stop }).click();
    await page.getByText(notices.devices.none, { exact: true }).waitFor();
    expect(await subscriptions()).toEqual([]);
    await page.getByRole('heading', { name: settings.title }).waitFor();
  });

  test('push notifies a visitor of the reply, and opens the message', async () => {
    const { page: owner, username } = await newOwner(browser, language, 'replies');
    const { page: visitor, context } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await standInForPushService(context);
    await visitor.goto(`/m/${username}`);
    await visitor.getByLabel(publicPage.composer.label).fill('hello');
    await visitor.getByRole('button', { name: publicPage.composer.send }).click();
    await visitor.getByRole('heading', { name: wayBack.sent.title }).waitFor();
    const created = visitor.waitForResponse((response) => response.url().endsWith('/api/push/subscriptions'));
    await visitor.getByTestId('sent-notice').locator('summary').click();
    await visitor.getByRole('switch', { name: notices.tellOfReply }).click();
    const { id } = (await (await created).json()) as { id: string };
    const path = (await visitor.getByTestId('way-back').textContent())?.replace(/^.*\/r\//, '/r/') ?? '';
    const replySwitch = visitor.getByRole('switch', { name: notices.tellOfReply, checked: true });
    await replySwitch.waitFor();
    await visitor.goto(path);
    await replySwitch.waitFor();
    await look(visitor, 'way-back-told', language);

    const worker = await deliver(visitor, { kind: 'reply', language, wayBack: id });
    expect(await shownIn(worker)).toMatchObject([{ title: name, lang: language, tag: id }]);
    await visitor.goto('/');
    expect(await addressBehind(worker, id)).toBe(path);

    await changeSubscription(worker);
    const subscribedIds = () =>
      visitor.evaluate(async () =>
        (await (await caches.open('told-ways')).keys()).map(({ url }) => url.split('/').at(-1)),
      );
    await system.eventually(async () => expect(await subscribedIds()).not.toEqual([id]));
    const [renewed = ''] = await subscribedIds();
    await deliver(visitor, { kind: 'reply', language, wayBack: renewed });
    expect((await shownIn(worker)).map(({ tag }) => tag)).toContain(renewed);
    expect(await addressBehind(worker, renewed)).toBe(path);
    await owner.close();
  });

  // Threat model: device-1.
  test('push and ways back of an account leave the device when it signs out', async () => {
    const { page: owner, username } = await newOwner(browser, language, 'answers');
    const { page: sender, context } = await newOwner(browser, language, 'leaves');
    await standInForPushService(context);
    await sender.goto(`/m/${username}`);
    await sender.getByLabel(publicPage.composer.label).fill('hello');
    await sender.getByRole('button', { name: publicPage.composer.send }).click();
    await sender.getByRole('heading', { name: wayBack.sent.title }).waitFor();
    const created = sender.waitForResponse((response) => response.url().endsWith('/api/push/subscriptions'));
    await sender.getByTestId('sent-notice').locator('summary').click();
    await sender.getByRole('switch', { name: notices.tellOfReply }).click();
    const { id } = (await (await created).json()) as { id: string };
    await sender.getByRole('switch', { name: notices.tellOfReply, checked: true }).waitFor();
    await deliver(sender, { kind: 'reply', language, wayBack: id });
    const worker = await deliver(sender, { kind: 'message', language });
    expect((await shownIn(worker)).map(({ tag }) => tag).sort()).toEqual([id, 'message'].sort());
    await sender.goto('/r');
    await sender.getByRole('list', { name: wayBack.list.own }).getByRole('link').waitFor();
    await look(sender, 'sent-here-own', language);

    await sender.getByRole('button', { name: common.header.accountMenu }).click();
    await sender.getByRole('menuitem', { name: common.header.logOut }).click();
    const left = () =>
      sender.evaluate(async () => ({
        ways: localStorage.getItem('ways-back'),
        subscriptions: (await (await caches.open('told-ways')).keys()).length,
      }));
    await system.eventually(async () => expect(await left()).toEqual({ ways: null, subscriptions: 0 }));
    await system.eventually(async () => expect(await shownIn(worker)).toEqual([]));
    await sender.goto('/r');
    await sender.getByText(wayBack.list.emptyText, { exact: true }).waitFor();
    await owner.close();
  });
});
