// Long run: browsers that keep nothing.
import { describe, expect, test } from '@jest/globals';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, system, takeShots, WORDS } from './browser.js';
import { PHOTOGRAPHS, WRITTEN } from './helpers.js';
import { call } from './states/sweep.js';

const browser = await launchBrowser();

/** As "block all site data" does. */
function blockSiteData(): void {
  const refuse = (): never => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  };
  const block = (owner: object, names: readonly string[]) => {
    for (const name of names) Object.defineProperty(owner, name, { configurable: true, get: refuse, set: refuse });
  };
  block(window, ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'BroadcastChannel']);
  block(document, ['cookie']);
  block(navigator, ['serviceWorker', 'locks', 'storage']);
}

/** As Android's WebView does. */
function refuseClipboard(): void {
  navigator.clipboard.writeText = () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'));
}

/** Apps inject scripts, which our policy refuses. This type is never requested. */
const APP_SCRIPT = '<script type="text/app" id="of-the-app" src="https://elsewhere.example/app.js"></script>';

/** Of each system, with the browser of one app. The other apps are in web/src/site-data.test.tsx. */
const ANDROID =
  'Mozilla/5.0 (Linux; Android 13; SM-A136B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0 Mobile Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';

const APPS = {
  Instagram: `${ANDROID} Instagram 314.0.0.20.114 Android`,
  Snapchat: `${IPHONE} Snapchat/12.66.0.28 (like Safari/8617, panda)`,
};

describe.each(JOURNEY_LANGUAGES)('a browser that keeps nothing for sites (%s)', (language) => {
  const { auth, home, publicPage, recorder, wayBack, notices } = WORDS[language];
  const [content] = WRITTEN[language].messages;

  test('a browser without site data shows every page, sends a message, and shows its way back', async () => {
    const owner = await system.newAccount();
    const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await context.addInitScript(blockSiteData);
    await page.goto(`/m/${owner.username}`);
    await page.getByLabel(publicPage.composer.label, { exact: true }).fill(content);
    await page.getByRole('button', { name: publicPage.composer.send, exact: true }).click();
    await page.getByRole('heading', { name: wayBack.sent.title }).waitFor();
    const way = (await page.getByTestId('way-back').textContent()) ?? '';
    expect(await page.getByText(wayBack.sent.keepRefused).isVisible()).toBe(true);
    expect(await call('GET', '/api/messages', owner.cookie)).toMatchObject([{ content }]);
    await page.goto(way.slice(way.indexOf('/r/')));
    await page.getByText(content).waitFor();
    await page.goto('/');
    await page.getByRole('link', { name: home.hero.create }).click();
    await page.getByRole('button', { name: auth.register.submit }).waitFor();
    await context.close();
  });

  test.each(Object.entries(APPS))(
    'a browser inside %s sends a text with a picture, and reads it',
    async (app, userAgent) => {
      const owner = await system.newAccount();
      const { context, page } = await newPerson(browser, system.url, language, { screen: 'phone', userAgent });
      await context.addInitScript(blockSiteData);
      await context.addInitScript(() => {
        Object.defineProperty(navigator, 'mediaDevices', { value: undefined });
        for (const name of ['PushManager', 'Notification']) Reflect.deleteProperty(window, name);
      });
      if (userAgent.includes('Android')) await context.addInitScript(refuseClipboard);
      // No cookie of the server comes back.
      await page.route('**/*', async (route) => {
        const headers = await route.request().allHeaders();
        await route.continue({ headers: { ...headers, cookie: `language=${language}` } });
      });
      let loads = 0;
      await page.route(`**/m/${owner.username}`, async (route) => {
        loads += 1;
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()).replace('</body>', `${APP_SCRIPT}</body>`) });
      });
      await page.goto(`/m/${owner.username}`);
      await page.locator('#of-the-app').dispatchEvent('error');
      await page.getByRole('button', { name: publicPage.composer.voice, exact: true }).click();
      await page.getByText(recorder.elsewhere.text).waitFor();
      expect(await page.getByRole('button', { name: recorder.start, exact: true }).count()).toBe(0);
      const leave = page.getByRole('link', { name: recorder.elsewhere.open, exact: true });
      if (userAgent.includes('Android'))
        expect(await leave.getAttribute('href')).toMatch(
          new RegExp(`^intent://[^/]+/m/${owner.username}#Intent;scheme=http;.*;end$`),
        );
      else {
        expect(await leave.count()).toBe(0);
        expect(await page.getByText(recorder.elsewhere.openYourself).isVisible()).toBe(true);
      }
      await page.getByRole('button', { name: recorder.elsewhere.copy, exact: true }).click();
      await page.getByRole('button', { name: recorder.elsewhere.copied, exact: true }).waitFor();
      expect(loads).toBe(1);
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
      await takeShots(page, `in-app-voice-${app}`, language);
      await page.getByRole('button', { name: publicPage.composer.voice, exact: true }).click();
      await page.getByLabel(publicPage.composer.label, { exact: true }).fill(content);
      await page.getByTestId('image-file').setInputFiles(PHOTOGRAPHS.withPlace);
      await page.getByAltText(publicPage.composer.attached).waitFor();
      await page.getByRole('button', { name: publicPage.composer.send, exact: true }).click();
      await page.getByRole('heading', { name: wayBack.sent.title }).waitFor();
      const way = (await page.getByTestId('way-back').textContent()) ?? '';
      expect(await page.getByText(wayBack.inApp, { exact: true }).isVisible()).toBe(true);
      await page.getByRole('button', { name: wayBack.copy, exact: true }).click();
      await page.getByRole('button', { name: wayBack.copied, exact: true }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
        `${system.url}${way.slice(way.indexOf('/r/'))}`,
      );
      expect(await page.getByRole('switch', { name: notices.tellOfReply, exact: true }).count()).toBe(0);
      await takeShots(page, `in-app-sent-${app}`, language);
      await page.goto(way.slice(way.indexOf('/r/')));
      await page.getByText(content).waitFor();
      await page.getByTestId('message-image').first().waitFor();
      await page.getByText(wayBack.inApp, { exact: true }).waitFor();
      await takeShots(page, `in-app-way-${app}`, language);
      await page.goto('/auth?tab=login');
      await page.getByRole('button', { name: auth.login.submit, exact: true }).waitFor();
      expect(await page.getByRole('button', { name: auth.login.passkey, exact: true }).count()).toBe(0);
      await context.close();
    },
  );
});
