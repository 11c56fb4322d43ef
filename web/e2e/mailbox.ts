import { readFile } from 'node:fs/promises';
import type { TestSystem } from '@najwa/dev-env';
import type { Page } from 'playwright-core';

interface Called {
  status: number;
  body: unknown;
}

/** Calls the API with the session of the given page. */
export function callAs(page: Page, method: string, path: string, body?: unknown): Promise<Called> {
  return page.evaluate(
    async ([verb, target, json]) => {
      const response = await fetch(target, {
        method: verb,
        headers: { 'X-Requested-With': 'XMLHttpRequest', ...(json !== null && { 'Content-Type': 'application/json' }) },
        body: json,
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    },
    [method, path, body === undefined ? null : JSON.stringify(body)] as const,
  );
}

export const ownIdOf = async (page: Page): Promise<number> =>
  ((await callAs(page, 'GET', '/api/user')).body as { id: number }).id;

/** Sends a message as an anonymous visitor, without a browser. @returns the message id */
export async function sendTo(system: TestSystem, userId: number, content: string, picture?: string): Promise<number> {
  const imageUrl =
    picture === undefined ? {} : { imageUrl: `data:image/jpeg;base64,${(await readFile(picture)).toString('base64')}` };
  const { status, body } = await system.request('POST', '/api/messages', { body: { userId, content, ...imageUrl } });
  if (status !== 201) throw new Error(`Sending a message failed with status ${String(status)}.`);
  return (body as { id: number }).id;
}
