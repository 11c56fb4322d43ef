import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { buildMessage } from '../../test/factories.js';
import { renderElement } from '../../test/render.js';
import { MessageMenu } from './MessageMenu.js';

const original = globalThis.fetch;
let asked: string[];
let options: RequestInit | undefined;
let status: number;
let code: string;
let downloads: string[];

beforeEach(() => {
  asked = [];
  downloads = [];
  status = 200;
  code = 'unavailable';
  globalThis.fetch = (input, init) => {
    asked.push(input as string);
    options = init;
    const body = new Blob(['png']);
    return Promise.resolve({
      ok: status === 200,
      status,
      headers: new Headers(),
      blob: () => Promise.resolve(body),
      json: () => Promise.resolve({ message: 'No picture.', code }),
    } as Response);
  };
  URL.createObjectURL = () => 'blob:picture';
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    downloads.push(this.download);
  });
});
afterEach(() => {
  globalThis.fetch = original;
  jest.restoreAllMocks();
  Object.assign(navigator, { share: undefined, canShare: undefined });
});

async function choose(name: string, isPublished = true) {
  const message = buildMessage({ id: 7 });
  const calls = { onReply: jest.fn(), onDelete: jest.fn() };
  const actions = { isBusy: false, isPublished, changeVisibility: jest.fn() };
  const { user } = renderElement(<MessageMenu message={message} actions={actions} {...calls} />);
  await user.click(screen.getByRole('button', { name: 'More for this message' }));
  await screen.findByRole('menuitem', { name: /Block/ });
  const item = screen.queryByRole('menuitem', { name });
  if (item !== null) await user.click(item);
  return item;
}

test('a private message has no pictures to share', async () => {
  expect(await choose('Story picture', false)).toBeNull();
});

test('a picture is downloaded where there is no share sheet', async () => {
  await choose('Question card');
  await waitFor(() => {
    expect([asked, downloads]).toEqual([['/og/message/7.png'], ['najwa-7.png']]);
  });
  expect(options).toMatchObject({ cache: 'no-store', headers: { 'X-Requested-With': 'XMLHttpRequest' } });
});

test('a picture goes to the share sheet where there is one', async () => {
  const shared: ShareData[] = [];
  Object.assign(navigator, {
    canShare: () => true,
    share: (data: ShareData) => {
      shared.push(data);
      return Promise.reject(new DOMException('closed', 'AbortError'));
    },
  });
  await choose('Story picture');
  await waitFor(() => {
    expect(shared[0]?.files?.map(({ name, type }) => [name, type])).toEqual([['najwa-7.png', 'image/png']]);
  });
  expect([asked, downloads]).toEqual([['/story/message/7.png'], []]);
});

test('a picture that could not be loaded is reported', async () => {
  status = 503;
  await choose('Story picture');
  expect(await screen.findByText('Could not get the picture')).toBeVisible();
});

test('a text that no font can draw is reported', async () => {
  status = 422;
  code = 'picture_undrawable';
  await choose('Story picture');
  expect(await screen.findByText('The text has letters that we cannot draw.')).toBeVisible();
});
