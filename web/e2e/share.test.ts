// Long run: pictures of a link.
import { describe, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { JOURNEY_LANGUAGES, LANGUAGES, launchBrowser, system, takeShots, WORDS } from './browser.js';
import { callAs, newOwner, ownIdOf, sendTo } from './helpers.js';

const browser = await launchBrowser();

describe.each(JOURNEY_LANGUAGES)('the link of an account (%s)', (language) => {
  const words = WORDS[language];

  test("an account's link is shared with three sites and copied", async () => {
    const { page, username, context } = await newOwner(browser, language, 'share');
    const link = `${system.url}/m/${username}`;
    await page.getByRole('button', { name: words.profile.share, exact: true }).click();
    const hrefOf = (name: string) => page.getByRole('link', { name, exact: true }).getAttribute('href');
    const parameterOf = (href: string | null, name: string) => new URL(href ?? '').searchParams.get(name);
    expect(parameterOf(await hrefOf(words.profile.link.facebook), 'u')).toBe(link);
    expect(parameterOf(await hrefOf(words.profile.link.x), 'url')).toBe(link);
    expect(parameterOf(await hrefOf(words.profile.link.whatsapp), 'text')).toBe(link);
    await page.keyboard.press('Escape');
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    const toast = page.getByTestId('toast');
    await page.getByRole('button', { name: words.profile.link.copy }).first().click();
    await toast.filter({ hasText: words.profile.link.copied }).waitFor();
    expect(await copied()).toBe(link);
    await takeShots(page, 'dashboard-copied', language);

    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('Not here.'));
      document.execCommand = () => false;
    });
    await page.getByRole('button', { name: words.profile.link.copy }).first().click();
    await toast.filter({ hasText: words.profile.link.copyFailed }).waitFor();
    await context.close();
  });
});

/** An image's URL, once set. */
const shownPath = async (image: Locator): Promise<string | undefined> => {
  const source = await image.evaluate((element: HTMLImageElement) =>
    element.complete && element.naturalWidth > 0 ? element.src : undefined,
  );
  return source?.replace(system.url, '');
};

// The pictures depend on the language.
describe.each(LANGUAGES)('the link of an account, in a sheet (%s)', (language) => {
  const words = WORDS[language];
  const { sharing, link } = words.profile;

  test("an account's link is shared by chat first, as a story on six grounds, and as a code", async () => {
    const { page, username, context } = await newOwner(browser, language, 'code', { screen: 'phone' });
    const text =
      language === 'ar'
        ? 'ما أجمل نصيحة تلقّيتِها في حياتك، ولماذا بقيت معك؟'
        : 'What is the best advice you were ever given, and why did it stay with you?';
    const id = await sendTo(system, await ownIdOf(page), text);
    await callAs(page, 'PATCH', `/api/messages/${String(id)}`, { isPublic: true });
    await page.addInitScript(() => {
      Object.assign(navigator, {
        canShare: () => true,
        share: ({ url, files }: ShareData) => {
          document.documentElement.dataset['shared'] = url ?? files?.map(({ name }) => name).join(' ');
          return Promise.resolve();
        },
      });
    });
    await page.reload();
    const shared = () => page.evaluate(() => document.documentElement.dataset['shared']);
    await page.getByRole('button', { name: words.profile.share, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: sharing.title });
    const targets = [link.whatsapp, link.facebook, link.x, sharing.more];
    await system.eventually(async () => expect(await dialog.getByRole('listitem').allTextContents()).toEqual(targets));

    const preview = dialog.getByRole('img', { name: sharing.preview.getMessageStory });
    await system.eventually(async () => expect(await shownPath(preview)).toBe(`/story/message/${String(id)}.png`));
    await takeShots(page, 'share', language, { screenOnly: true });

    const grounds = dialog.getByRole('group', { name: sharing.ground }).getByRole('radio');
    expect(await grounds.count()).toBe(6);
    for (const ground of ['night', 'own'] as const) {
      await grounds.and(dialog.getByRole('radio', { name: sharing.grounds[ground] })).check();
      await system.eventually(async () =>
        expect(await shownPath(preview)).toBe(`/story/message/${String(id)}.png?ground=${ground}`),
      );
    }
    await dialog.getByRole('button', { name: sharing.post, exact: true }).click();
    await system.eventually(async () => expect(await shared()).toBe(`najwa-${String(id)}.png`));
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${system.url}/m/${username}`);

    await dialog.getByText(link.storyText).waitFor();
    await dialog.getByRole('button', { name: sharing.code }).click();
    await system.eventually(async () =>
      expect(await shownPath(dialog.getByRole('img', { name: sharing.code }))).toContain('/qr.svg'),
    );
    await takeShots(page, 'share-code', language, { screenOnly: true });
    const files = [
      [sharing.save, `najwa-${String(id)}.png`],
      [sharing.card, `najwa-card-${language}.png`],
      [sharing.codeFile, `najwa-${username}-code.png`],
    ] as const;
    for (const [name, file] of files) {
      const download = page.waitForEvent('download');
      await dialog.getByRole('button', { name, exact: true }).click();
      expect((await download).suggestedFilename()).toBe(file);
    }
    await dialog.getByRole('button', { name: sharing.more }).click();
    expect(await shared()).toBe(`${system.url}/m/${username}`);
    await dialog.getByRole('button', { name: words.common.action.close }).click();
    await dialog.waitFor({ state: 'detached' });
    await context.close();
  });

  test("an account's link has the page's picture while no message is published", async () => {
    const { page, username, context } = await newOwner(browser, language, 'bare');
    await page.getByRole('button', { name: words.profile.share, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: sharing.title });
    await dialog.getByRole('radio', { name: sharing.grounds.mint }).check();
    const preview = dialog.getByRole('img', { name: sharing.preview.getProfilePicture });
    await system.eventually(async () => expect(await shownPath(preview)).toBe(`/og/${username}.png?ground=mint`));
    expect(await dialog.getByRole('radio').count()).toBe(6);
    await takeShots(page, 'share-page', language, { screenOnly: true });
    await context.close();
  });
});
