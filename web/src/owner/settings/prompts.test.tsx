import { describe, expect, test } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { buildUser } from '../../test/factories.js';
import { renderElement } from '../../test/render.js';
import { type Answers, startApi } from '../../test/server.js';
import { PromptSettings } from './PromptSettings.js';

const prompt = (id: number, content: string) => ({ id, content, createdAt: '2026-11-18T18:42:00.000Z' });

async function openPrompts(count: number, answers: Answers = {}) {
  const prompts = Array.from({ length: count }, (_, index) => prompt(index + 1, `question ${String(index + 1)}`));
  const api = await startApi({
    'GET /prompts': () => ({ body: prompts }),
    'POST /prompts': ({ body }) => {
      const written = prompt(99, (body as { content: string }).content);
      prompts.push(written);
      return { status: 201, body: written };
    },
    'DELETE /prompts/1': () => {
      prompts.shift();
      return { status: 204 };
    },
    ...answers,
  });
  const view = renderElement(<PromptSettings user={buildUser()} />, { apiRoot: api.apiRoot });
  return { api, ...view, field: await screen.findByLabelText('New question') };
}

const add = () => screen.getByRole('button', { name: 'Add' });

describe('your questions', () => {
  test('a question is added, and listed with its link', async () => {
    const { user, api, field } = await openPrompts(0);
    expect(add()).toBeDisabled();
    await user.type(field, ' What should I read next? ');
    await user.click(add());
    const row = await screen.findByTestId('prompt');
    expect(row).toHaveTextContent('What should I read next?');
    expect(api.callsTo('POST /prompts')[0]?.body).toEqual({ content: 'What should I read next?' });
    await waitFor(() => {
      expect(field).toHaveValue('');
    });
    await user.click(within(row).getByRole('button', { name: /^Copy the link/ }));
    expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/m/noura?ask=99`);
  });

  test('a question has at most a hundred characters', async () => {
    const { user, api, field } = await openPrompts(0);
    fireEvent.change(field, { target: { value: 'x'.repeat(101) } });
    await user.click(add());
    expect(await screen.findByText('A question has 1 to 100 characters.')).toBeVisible();
    expect(api.callsTo('POST /prompts')).toHaveLength(0);
  });

  test('there are at most ten questions', async () => {
    const { user, api, field } = await openPrompts(10);
    await user.type(field, 'one more');
    await user.click(add());
    expect(await screen.findByText('You have ten questions. Remove one to add.')).toBeVisible();
    expect(api.callsTo('POST /prompts')).toHaveLength(0);
    expect(field).toHaveValue('one more');
  });

  test("a refused question keeps the text and shows the service's error", async () => {
    const { user, field } = await openPrompts(1, {
      'POST /prompts': { status: 409, body: { code: 'prompts_full', message: 'It is full.' } },
    });
    await user.type(field, 'one more');
    await user.click(add());
    expect(await screen.findByText('You have ten questions. Remove one to add.')).toBeVisible();
    expect(field).toHaveValue('one more');
  });

  test('a question is deleted after a confirmation', async () => {
    const { user, api } = await openPrompts(2);
    await user.click(screen.getByRole('button', { name: /^Delete the question: .*question 1/ }));
    expect(api.callsTo('DELETE /prompts/1')).toHaveLength(0);
    await user.click(await screen.findByRole('button', { name: 'Delete it' }));
    await waitFor(() => {
      expect(screen.getAllByTestId('prompt')).toHaveLength(1);
    });
    expect(screen.getByTestId('prompt')).toHaveTextContent('question 2');
  });
});
