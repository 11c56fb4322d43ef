import '../test/setup.js';
import { expect, test } from '@jest/globals';
import { createI18n } from './create-i18n.js';

test('texts that cannot be loaded reject the awaited promise, so that a page can report it', async () => {
  const i18n = createI18n({ language: 'en', loadTexts: () => Promise.reject(new Error('no line')) });
  const asked = i18n.load(['auth']);
  await expect(asked).rejects.toThrow('no line');
  expect(i18n.load(['auth'])).toBe(asked);
});
