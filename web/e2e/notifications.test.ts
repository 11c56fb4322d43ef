// Long run: lines that die.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { JOURNEY_LANGUAGES, launchBrowser, newPerson, system, WORDS } from './browser.js';
import { callAs, expectFocus, look, newOwner, ownIdOf, plural, sendTo, WRITTEN } from './helpers.js';

const browser = await launchBrowser();

/** A proxy whose connections can die as behind a router that forgot them: nothing passes, and no end closes. */
async function openLine() {
  const streams: Socket[] = [];
  const dead = new Set<Socket>();
  let withheld = 0;
  const server = createServer((client) => {
    const site = connect(Number(new URL(system.url).port), '127.0.0.1');
    client.on('data', (bytes: Buffer) => {
      if (bytes.includes('GET /api/notifications/stream')) streams.push(client);
      if (!dead.has(client)) site.write(bytes);
    });
    site.on('data', (bytes: Buffer) => {
      if (dead.has(client)) withheld += bytes.length;
      else client.write(bytes);
    });
    for (const [one, other] of [[client, site] as const, [site, client] as const]) {
      one.on('error', () => other.destroy());
      one.on('close', () => {
        if (!dead.has(client)) other.destroy();
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    streams,
    withheld: () => withheld,
    /** Only connections of the event stream. */
    die: () => {
      for (const stream of streams) dead.add(stream);
    },
    close: () => server.close(),
  };
}

describe.each(JOURNEY_LANGUAGES)('live updates (%s)', (language) => {
  const { notifications, messages, publicPage, wayBack } = WORDS[language];
  const {
    messages: [first, second, third, fourth],
    reply,
  } = WRITTEN[language];

  test('a message shows without a reload: in the inbox on request, at the bell, and on the way back', async () => {
    const { page: owner, username } = await newOwner(browser, language, 'live');
    const ownerId = await ownIdOf(owner);
    await owner.getByTestId('daily-questions').waitFor();
    await owner.getByTestId('bell').click();
    await owner
      .getByRole('dialog', { name: notifications.title })
      .getByText(notifications.empty, { exact: true })
      .waitFor();
    await look(owner, 'notifications-empty', language);
    await owner.keyboard.press('Escape');

    // An empty list shows it. Later ones are counted by bell and bar, and the list stays.
    await sendTo(system, ownerId, first);
    await owner.getByText(first, { exact: true }).waitFor();
    await sendTo(system, ownerId, second);
    const bar = owner.getByRole('button', { name: plural(messages, 'arrived', language, 1) });
    await bar.waitFor();
    const fresh = plural(notifications, 'fresh', language, 2);
    const name = notifications.bell.replace('{{title}}', notifications.title).replace('{{fresh}}', fresh);
    await owner.getByRole('button', { name, exact: true }).waitFor();
    expect(await owner.getByTestId('message').count()).toBe(1);
    await look(owner, 'inbox-arrived', language);
    await bar.click();
    await owner.getByText(second, { exact: true }).waitFor();
    expect(await owner.getByTestId('message').count()).toBe(2);
    await expectFocus(owner.getByRole('heading', { name: messages.list.title, exact: true }));

    // The panel, by keyboard.
    await owner.getByTestId('bell').focus();
    await owner.keyboard.press('Enter');
    const panel = owner.getByRole('dialog', { name: notifications.title });
    await panel.getByText(/^(رسالتان جديدتان|2 new messages)$/).waitFor();
    await panel.locator('[data-part="ornament"]').nth(1).waitFor();
    expect(await panel.getByTestId('notification').count()).toBe(1);
    await look(owner, 'notifications', language);
    await panel.getByRole('button', { name: notifications.readAll }).click();
    await panel.getByRole('img', { name: notifications.unread }).first().waitFor({ state: 'detached' });
    await owner.keyboard.press('Escape');
    await expectFocus(owner.getByTestId('bell'));
    await owner.getByRole('button', { name: notifications.title, exact: true }).waitFor();

    // An account hears of the reply at the bell, a visitor on the way back.
    const { page: sender } = await newOwner(browser, language, 'hears');
    const { page: visitor } = await newPerson(browser, system.url, language, { screen: 'phone' });
    await visitor.goto(`/m/${username}`);
    await visitor.getByLabel(publicPage.composer.label).fill(third);
    await visitor.getByRole('button', { name: publicPage.composer.send }).click();
    await visitor.getByRole('heading', { name: wayBack.sent.title }).waitFor();
    await visitor.goto('/r');
    await visitor.getByRole('link', { name: third }).click();
    await visitor.getByRole('listitem').getByText(wayBack.steps.unanswered, { exact: true }).waitFor();
    const sent = await callAs(sender, 'POST', '/api/messages', { userId: ownerId, content: fourth });
    const received = (await callAs(owner, 'GET', '/api/messages')).body as { id: number; content: string }[];
    const fromVisitor = received.find(({ content }) => content === third);
    for (const messageId of [fromVisitor?.id, (sent.body as { id: number }).id])
      await callAs(owner, 'POST', '/api/replies', { messageId, content: reply });
    await visitor.getByText(reply, { exact: true }).waitFor();
    await visitor
      .getByRole('status')
      .getByText(wayBack.status.changed.answered, { exact: true })
      .waitFor({ state: 'attached' });
    const fall = () =>
      visitor.locator('[data-letter=answered] [data-part=new]').evaluate((dot) => {
        const { animationName, animationDuration } = getComputedStyle(dot);
        return animationName === 'none' ? 'still' : animationDuration;
      });
    expect(await fall()).toBe('still');
    await visitor.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await fall()).toBe('0.6s');
    await visitor.emulateMedia({ reducedMotion: 'reduce' });
    await sender.getByRole('button', { name: plural(notifications, 'fresh', language, 1) }).click();
    await sender.getByTestId('notification').getByText(`@${username}`).waitFor();
    await sender.getByTestId('notification').click();
    await sender.getByRole('dialog').waitFor({ state: 'detached' });
    const sentId = String((sent.body as { id: number }).id);
    const led = sender.locator(`[data-message-id="${sentId}"][data-state="sent"]`);
    await sender.getByTestId('reading').getByText(reply, { exact: true }).waitFor();
    await expectFocus(led);
    // A push notification opens a tab, too.
    await sender.goto('/');
    await sender.goto(`/profile#sent-${sentId}`);
    await sender.getByTestId('reading').getByText(reply, { exact: true }).waitFor();
    await expectFocus(led);
    await sender.getByTestId('bell').waitFor();
    await sender.getByRole('button', { name: notifications.title, exact: true }).waitFor();
  });

  test('a message shows within a minute after a connection died silently', async () => {
    const line = await openLine();
    const { page: owner, context } = await newOwner(browser, language, 'dead-line', { origin: line.url });
    const ownerId = await ownIdOf(owner);
    await owner.clock.install();
    await owner.reload();
    await owner.getByTestId('daily-questions').waitFor();
    await sendTo(system, ownerId, first);
    await owner.getByText(first, { exact: true }).waitFor();
    const before = line.streams.length;
    line.die();
    await sendTo(system, ownerId, second);
    await system.eventually(() => expect(line.withheld()).toBeGreaterThan(0));
    expect(line.streams).toHaveLength(before);
    await owner.clock.fastForward('01:00');
    await owner.getByRole('button', { name: plural(messages, 'arrived', language, 1) }).waitFor();
    expect(line.streams).toHaveLength(before + 1);
    await context.close();
    line.close();
  });
});
