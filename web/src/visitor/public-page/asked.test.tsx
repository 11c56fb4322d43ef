import { describe, expect, test } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { openPage, profile } from '../../test/open-public-page.js';
import { installMicrophone, installPlayback } from '../../test/sound.js';

const PROMPTS = [
  { id: 4, content: 'What should I read next?' },
  { id: 5, content: 'Where should I travel?' },
];
const GONE = { status: 404, body: { code: 'prompt_not_found', message: 'It is gone.' } };
const WITHDRAWN = /This question was withdrawn\. Write without it\./;

const open = ({ answers = {}, asked = 4 }: Parameters<typeof openPage>[0] = {}) =>
  openPage({ answers: { 'GET /users/noura': { body: { ...profile, prompts: PROMPTS } }, ...answers }, asked });

describe('a link that asks a question', () => {
  const sheet = () => screen.findByLabelText<HTMLTextAreaElement>('Message text');
  const send = () => screen.getByRole('button', { name: 'Send' });

  test('a linked question shows above the sheet, and its id is sent with the answer', async () => {
    const { user, api } = await open();
    expect(await screen.findByText('What should I read next?')).toBeVisible();
    expect(screen.queryByText('Where should I travel?')).toBeNull();
    expect(screen.getByRole('heading', { name: 'Write your answer' })).toBeVisible();
    await user.type(await sheet(), 'Season of Migration');
    await user.click(send());
    expect(await screen.findByText('Message sent')).toBeVisible();
    expect(api.callsTo('POST /messages')[0]?.body).toEqual({
      userId: 1,
      content: 'Season of Migration',
      promptId: 4,
    });
  });

  test('a linked question can be removed', async () => {
    const { user, api } = await open();
    await user.type(await sheet(), 'hello');
    await user.click(await screen.findByRole('button', { name: 'Write without the question' }));
    expect(screen.queryByText('What should I read next?')).toBeNull();
    expect(await sheet()).toHaveFocus();
    await user.click(send());
    expect(await screen.findByText('Message sent')).toBeVisible();
    expect(api.callsTo('POST /messages')[0]?.body).toEqual({ userId: 1, content: 'hello' });
  });

  test('an unknown linked question shows the usual page', async () => {
    await open({ asked: 6 });
    expect(await screen.findByRole('heading', { name: /^Write to/ })).toBeVisible();
    expect(screen.queryByText('What should I read next?')).toBeNull();
  });

  test('a withdrawn question says so, and the text stays', async () => {
    const { user, api } = await open({ answers: { 'POST /messages': GONE } });
    fireEvent.change(await sheet(), { target: { value: 'Season of Migration' } });
    await screen.findByText('What should I read next?');
    await user.click(send());
    expect(await screen.findByText(WITHDRAWN)).toBeVisible();
    expect(screen.queryByText('What should I read next?')).toBeNull();
    expect(await sheet()).toHaveValue('Season of Migration');
    await waitFor(() => {
      expect(send()).toBeEnabled();
    });
    await user.click(send());
    await waitFor(() => {
      expect(api.callsTo('POST /messages')).toHaveLength(2);
    });
    const [first, second] = api.callsTo('POST /messages');
    expect(second?.body).toEqual({ userId: 1, content: 'Season of Migration' });
    expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key']);
  });

  test("a recording is sent with the question's id, and stays when it was withdrawn", async () => {
    installPlayback();
    installMicrophone();
    const { user, api } = await open({ answers: { 'POST /audio/upload': GONE } });
    await user.click(await screen.findByRole('button', { name: 'Voice' }));
    await user.click(await screen.findByRole('button', { name: 'Start recording' }));
    await user.click(await screen.findByRole('button', { name: 'Stop' }));
    await screen.findByText('Recording ready');
    await user.click(screen.getByRole('radio', { name: 'Male voice' }));
    await user.click(screen.getByRole('button', { name: 'Send voice' }));
    expect(await screen.findByText(WITHDRAWN)).toBeVisible();
    expect(api.callsTo('POST /audio/upload')[0]?.body).toMatch(/name="promptId"\s+4\s/);
    expect(screen.queryByText('What should I read next?')).toBeNull();
    const again = await screen.findByRole('button', { name: 'Send voice' });
    await user.click(again);
    await waitFor(() => {
      expect(api.callsTo('POST /audio/upload')).toHaveLength(2);
    });
    expect(api.callsTo('POST /audio/upload')[1]?.body).not.toMatch(/promptId/);
  });
});
