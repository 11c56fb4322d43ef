import { z } from 'zod';
import { fields } from './fields.js';
import type { OperationSpec } from './operation.js';

/** An owner's question, at `/m/{username}?ask={id}`. */
export const prompt = z.strictObject({ id: fields.id, content: z.string() }).meta({ id: 'Prompt' });

const ownPrompt = prompt.extend({ createdAt: fields.timestamp }).meta({ id: 'OwnPrompt' });

export const promptOperations = {
  listPrompts: {
    summary: 'Prompts of the own account, oldest first',
    answer: { status: 200, description: 'All prompts, at most ten.', body: z.array(ownPrompt) },
  },
  createPrompt: {
    summary: 'Write a prompt',
    description: 'Its link is `/m/{username}?ask={id}`. The same text again returns the same prompt.',
    body: z.strictObject({ content: fields.prompt }).meta({ id: 'NewPrompt' }),
    answer: { status: 201, description: 'The prompt.', body: ownPrompt },
    errors: { prompts_full: 'the account has ten prompts' },
  },
  deletePrompt: {
    summary: 'Delete a prompt of the own account',
    description: 'Its link opens the page without it from then on. Messages that answered it keep its text.',
    params: z.object({ id: fields.idText }),
    answer: { status: 204, description: 'The prompt was deleted.' },
    errors: { prompt_not_found: "there is no such prompt, or it is another account's" },
  },
} satisfies Record<string, OperationSpec>;
