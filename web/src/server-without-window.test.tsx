/** @jest-environment node */
import { expect, test } from '@jest/globals';
import { renderWayBack } from './server.js';

const wayBack = {
  recipient: { id: 1, username: 'noura', name: 'Noura Alali', avatar: null },
  ornament: 'ba2945b603ffaf56',
  content: 'What is the best advice you were ever given?',
  imageUrl: null,
  audioUrl: null,
  audioDuration: null,
  audioPeaks: null,
  createdAt: '2026-11-18T18:42:00.000Z',
  isRead: false,
  isPublic: false,
  reply: null,
  canDelete: true,
  turns: [],
  isLastRead: false,
  canWrite: false,
  hasEnded: false,
};

const answered = {
  ...wayBack,
  isRead: true,
  canDelete: false,
  reply: { content: 'Do not explain yourself.', createdAt: '2026-11-19T10:00:00.000Z' },
};

test.each([
  ['one that waits', { wayBack }, 'What is the best advice'],
  ['one that is answered', { wayBack: answered }, 'Do not explain yourself.'],
  ['a deletion that is asked about', { wayBack, asked: { act: 'delete' as const } }, 'name="confirm"'],
  ['what is deleted', { wayBack, asked: { act: 'delete' as const, outcome: 'done' as const } }, 'Message deleted'],
  ['what is not there', { wayBack: null }, 'There is no message behind this link'],
])('the server renders the page of a way back where there is no window: %s', async (_what, data, shown) => {
  const { body } = await renderWayBack({ language: 'en', token: 'w'.repeat(22), data, renderedAt: Date.now() });
  expect(body).toContain(shown);
});
