import '../test/setup.js';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { copyText } from './copy-text.js';

let copied: string | null = null;

beforeEach(() => {
  copied = null;
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError')) },
  });
  // jsdom lacks it.
  Object.assign(document, {
    execCommand: jest.fn(() => {
      copied = (document.activeElement as HTMLTextAreaElement).value;
      return true;
    }),
  });
});

afterEach(() => {
  Reflect.deleteProperty(document, 'execCommand');
  Reflect.deleteProperty(navigator, 'clipboard');
});

test('a refused clipboard falls back to a selection, and the focus returns', async () => {
  const button = document.body.appendChild(document.createElement('button'));
  button.focus();
  expect(await copyText('رابط')).toBe(true);
  expect(copied).toBe('رابط');
  expect(button).toHaveFocus();
  expect(document.querySelector('textarea')).toBeNull();
  button.remove();
});

test('copyText() returns false where the selection is refused as well', async () => {
  Object.assign(document, { execCommand: () => false });
  expect(await copyText('رابط')).toBe(false);
});
