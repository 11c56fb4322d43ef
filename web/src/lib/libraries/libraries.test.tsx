import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { render } from '@testing-library/react';
import lucideIcon from './lucide-icon.js';
import { __vitePreload } from './retried-import.js';
import { stylesheetSingleton } from './scroll-lock.js';

describe('a part of the client that does not load', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('a part is loaded again after a broken connection', async () => {
    const load = jest.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue('part');
    const loaded = __vitePreload(load);
    await jest.advanceTimersByTimeAsync(300);
    expect(await loaded).toBe('part');
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('the fourth failure is final', async () => {
    const load = jest.fn<() => Promise<string>>().mockRejectedValue(new Error('offline'));
    const failed = expect(__vitePreload(load)).rejects.toThrow('offline');
    await jest.advanceTimersByTimeAsync(4_300);
    await failed;
    expect(load).toHaveBeenCalledTimes(4);
  });
});

test('the page scrolls again once the last dialog is closed', () => {
  // jsdom has neither.
  document.adoptedStyleSheets = [];
  CSSStyleSheet.prototype.replaceSync = () => undefined;
  const lock = stylesheetSingleton();
  lock.add('body { overflow: hidden; }');
  lock.add('body { overflow: hidden; }');
  expect(document.adoptedStyleSheets).toHaveLength(1);
  lock.remove();
  expect(document.adoptedStyleSheets).toHaveLength(1);
  lock.remove();
  expect(document.adoptedStyleSheets).toHaveLength(0);
});

test('an icon has its lines, its size and what it is given', () => {
  const Plus = lucideIcon({ node: [['path', { d: 'M5 12h14', key: 'across' }]] });
  const { container } = render(<Plus size={16} aria-hidden />);
  expect(container.innerHTML).toMatch(
    /^<svg width="16" height="16" .*aria-hidden="true"><path d="M5 12h14"><\/path><\/svg>$/,
  );
});
