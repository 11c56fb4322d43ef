// Long run: the way back in the browser.
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, system, WORDS } from './browser.js';
import { look, newPersonOf, PHOTOGRAPHS, unfold } from './helpers.js';
import { call } from './states/sweep.js';

const browser = await launchBrowser();

/** The referrers that a page sends. */
function referrersOf(page: Page): string[] {
  const referrers: string[] = [];
  page.on('request', (request) => {
    const { referer } = request.headers();
    if (referer !== undefined) referrers.push(referer);
  });
  return referrers;
}

describe.each(JOURNEY_LANGUAGES)('a way back (%s)', (language) => {
  const { wayBack, publicPage, common } = WORDS[language];
  const content = language === 'ar' ? 'ما أجمل نصيحة تلقّيتِها في حياتك؟' : 'What is the best advice you ever got?';
  const answer = language === 'ar' ? 'لا تشرحي نفسك لمن قرّر ألّا يفهم.' : 'Do not explain yourself.';

  // Threat model: network-4.
  test("a way back leads to the reply from the form, the copied link and the device's list", async () => {
    const owner = await system.newAccount();
    const { page: visitor } = await newPerson(browser, system.url, language, { screen: 'phone' });
    const seen = referrersOf(visitor);
    await visitor.goto(`/m/${owner.username}`);
    await visitor.getByLabel(publicPage.composer.label).fill(content);
    await visitor.getByTestId('image-file').setInputFiles(PHOTOGRAPHS.withPlace);
    await visitor.getByAltText(publicPage.composer.attached).waitFor();
    await visitor.getByRole('button', { name: publicPage.composer.send }).click();
    await visitor.getByRole('heading', { name: wayBack.sent.title }).waitFor();
    expect(
      await visitor.getByRole('heading', { name: wayBack.sent.title }).evaluate((it) => it === document.activeElement),
    ).toBe(true);
    await look(visitor, 'way-back-sent', language);
    await visitor.getByRole('button', { name: wayBack.copy, exact: true }).click();
    await visitor.getByRole('button', { name: wayBack.copied, exact: true }).waitFor();
    const link = await visitor.evaluate(() => navigator.clipboard.readText());
    expect(link).toMatch(new RegExp(`^${system.url}/r/[\\w-]{22}$`));

    await visitor.goto('/r');
    await visitor.getByRole('link', { name: content }).getByText(wayBack.steps.arrived, { exact: true }).waitFor();
    await visitor.getByRole('link', { name: content }).click();
    await visitor.getByText(wayBack.remove.untilRead, { exact: true }).waitFor();
    expect(visitor.url()).toBe(link);
    await visitor.waitForFunction(() => {
      const image = document.querySelector<HTMLImageElement>('[data-testid=message-image]');
      return image !== null && image.complete && image.naturalWidth > 0;
    });
    await look(visitor, 'way-back-waiting', language);

    const messageId = (await call<{ id: number }[]>('GET', '/api/messages', owner.cookie))[0]?.id;
    await call('POST', '/api/replies', owner.cookie, { messageId, content: answer });
    await call('PATCH', `/api/messages/${String(messageId)}`, owner.cookie, { isPublic: true });
    await visitor.reload();
    await visitor.getByText(answer, { exact: true }).waitFor();
    await visitor.getByText(wayBack.page.public, { exact: true }).waitFor();
    expect(await visitor.getByRole('button', { name: wayBack.remove.action, exact: true }).count()).toBe(0);
    await look(visitor, 'way-back', language);

    // Another browser, without this device's data.
    const { page: other } = await newPerson(browser, system.url, language);
    const seenByOther = referrersOf(other);
    const response = await other.goto(link);
    expect(response?.headers()).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    });
    await other.getByText(answer, { exact: true }).waitFor();
    await other.getByRole('link', { name: wayBack.talk.new.split('{{')[0] ?? '' }).click();
    await other.getByLabel(publicPage.composer.label).waitFor();
    await other.waitForLoadState('networkidle');

    await visitor.getByRole('link', { name: wayBack.list.title }).click();
    await visitor.getByRole('link', { name: content }).getByText(wayBack.steps.answered, { exact: true }).waitFor();
    await look(visitor, 'sent-here', language);
    await visitor.getByRole('button', { name: wayBack.list.forget }).click();
    await visitor.getByRole('alertdialog').getByRole('button', { name: wayBack.list.forget }).click();
    await visitor.getByText(wayBack.list.emptyText, { exact: true }).waitFor();
    await look(visitor, 'sent-here-empty', language);
    expect(await visitor.evaluate(() => localStorage.getItem('ways-back'))).toBeNull();
    expect([...seen, ...seenByOther].filter((referrer) => referrer.includes('/r/'))).toEqual([]);
  });

  test('a way back deletes an unread message, also for an account, and then leads nowhere', async () => {
    const owner = await system.newAccount();
    const { page: sender } = await newPersonOf(await system.newAccount(), browser, language);
    await sender.goto(`/m/${owner.username}`);
    await sender.getByLabel(publicPage.composer.label).fill(content);
    await sender.getByRole('button', { name: publicPage.composer.send }).click();
    await sender.getByRole('heading', { name: wayBack.sent.title }).waitFor();

    await sender.goto('/profile');
    await (await unfold(sender.getByTestId('message'))).getByRole('link', { name: wayBack.link }).click();
    await sender.getByRole('button', { name: wayBack.remove.action, exact: true }).click();
    const dialog = sender.getByRole('alertdialog');
    await dialog.waitFor();
    await look(sender, 'way-back-delete', language);
    await dialog.getByRole('button', { name: wayBack.remove.action, exact: true }).click();
    await sender.getByText(wayBack.remove.done, { exact: true }).waitFor();
    await sender.getByRole('heading', { name: wayBack.gone.title }).waitFor();
    await look(sender, 'way-back-gone', language);
    expect(await call('GET', '/api/messages', owner.cookie)).toEqual([]);
    await sender.getByRole('link', { name: common.action.backHome }).click();
    await sender.goto('/r');
    await sender.getByText(wayBack.list.emptyText, { exact: true }).waitFor();
  });

  test.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('a conversation goes on, one message for each answer, until its owner ends it, %s', async (_how, scripts) => {
    const owner = await system.newAccount();
    const { id, wayBack: way = '' } = await system.sendMessage(owner.id, { content });
    const reply = (messageId: number) => call('POST', '/api/replies', owner.cookie, { messageId, content: answer });
    await reply(id);
    const { page: visitor } = await newPerson(browser, system.url, language, { screen: 'phone', scripts });
    const field = visitor.getByLabel(publicPage.composer.label, { exact: true });
    const send = visitor.getByRole('button', { name: publicPage.composer.send, exact: true });
    const line = (whose: 'yours' | 'waiting' | 'ended') => visitor.getByText(wayBack.talk[whose], { exact: true });
    await visitor.goto(way);
    await line('yours').waitFor();
    await field.fill(answer);
    await visitor.getByTestId('image-file').setInputFiles(PHOTOGRAPHS.withPlace);
    if (scripts) await visitor.getByAltText(publicPage.composer.attached).waitFor();
    await send.click();
    await line('waiting').waitFor();
    expect(await field.count()).toBe(0);
    await visitor.waitForFunction(() => {
      const image = document.querySelector<HTMLImageElement>('[data-testid=turn] [data-testid=message-image]');
      return image !== null && image.complete && image.naturalWidth > 0;
    });
    await look(visitor, `way-back-talk${scripts ? '' : '-plain'}`, language);
    const [last] = await call<{ id: number; conversationId: number }[]>('GET', '/api/messages', owner.cookie);
    expect(last?.conversationId).toBe(id);
    await reply(last?.id ?? 0);
    if (!scripts) await visitor.reload();
    await line('yours').waitFor();
    expect(await visitor.getByTestId('turn').count()).toBe(2);
    await field.fill(content);
    await call('POST', `/api/messages/${String(last?.id)}/end`, owner.cookie);
    if (!scripts) await send.click();
    await line('ended').waitFor();
    expect(await field.inputValue()).toBe(content);
    await visitor.goto(way);
    await line('ended').waitFor();
    expect(await field.count()).toBe(0);
  });

  test('a way back says that reading is hidden, or when the message was first read', async () => {
    const owner = await system.newAccount();
    const { page: visitor } = await newPerson(browser, system.url, language);
    const { wayBack: path = '' } = await system.sendMessage(owner.id, { content });
    await visitor.goto(path);
    await visitor.getByRole('button', { name: wayBack.remove.action, exact: true }).click();
    const [message] = await call<{ id: number }[]>('GET', '/api/messages', owner.cookie);
    await call('PATCH', `/api/messages/${String(message?.id)}`, owner.cookie, { isRead: true });
    await visitor.getByRole('alertdialog').getByRole('button', { name: wayBack.remove.action, exact: true }).click();
    await visitor.getByText(wayBack.remove.readFirst, { exact: true }).waitFor();
    await visitor.getByRole('heading', { name: wayBack.status.read, exact: true }).waitFor();
    await visitor.getByRole('group', { name: wayBack.status.spoken.read }).waitFor();
    await visitor
      .getByRole('status')
      .getByText(wayBack.status.changed.read, { exact: true })
      .waitFor({ state: 'attached' });

    await call('PATCH', '/api/users/receiving', owner.cookie, { readReceipts: false });
    await system.eventually(async () => {
      await visitor.reload();
      await visitor.getByText(content, { exact: true }).first().waitFor();
      expect(await visitor.getByText(wayBack.steps.notShown, { exact: true }).count()).toBe(1);
    });
    await visitor.getByText(wayBack.remove.tenMinutes, { exact: true }).waitFor();
    await look(visitor, 'way-back-not-shown', language);
  });
});
