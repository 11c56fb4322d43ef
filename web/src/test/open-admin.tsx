import './setup.js';
import { screen } from '@testing-library/react';
import { AdminCreatePage, AdminPage, type TrackingRecord } from '../owner/admin/index.js';
import type { Language } from '../i18n/index.js';
import { buildAdministrator } from './factories.js';
import { renderRoutes } from './render.js';
import { startApi, type Answer, type Answers, type Call } from './server.js';

const routes = [
  { path: '/', element: <p>the home page</p> },
  { path: '/auth', element: <p>sign-in page</p> },
  { path: '/admin', element: <AdminPage /> },
  { path: '/admin/create', element: <AdminCreatePage /> },
];

interface Options {
  answers?: Answers;
  language?: Language;
  path?: string;
}

/** Signed in as administrator, with empty lists by default. */
export async function openAdmin({ answers = {}, language = 'en', path = '/admin' }: Options = {}) {
  const api = await startApi({
    'GET /user': { body: buildAdministrator() },
    'GET /admin/sender-tracking': { body: [] },
    'GET /admin/chat-bot/messages': { body: [] },
    'GET /admin/audit': { body: [] },
    ...answers,
  });
  const view = renderRoutes(routes, { apiRoot: api.apiRoot, path, language });
  await screen.findByRole('heading', { level: 1 });
  return { api, ...view };
}

/** Newest first, paged like the server's. */
export function pageOf(items: { id: number }[], { query, path }: Call): Answer {
  const before = Number(query.get('before') ?? Infinity);
  const rest = items.filter(({ id }) => id < before);
  const page = rest.slice(0, Number(query.get('limit')));
  const last = page.at(-1);
  return {
    body: page,
    headers:
      rest.length > page.length && last !== undefined
        ? { link: `</api${path}?before=${String(last.id)}>; rel="next"` }
        : {},
  };
}

export const refused: Answer = { status: 403, body: { message: 'No.', code: 'not_allowed' } };

export const rows = () => screen.findAllByTestId('row');

export async function row(index: number): Promise<HTMLElement> {
  const found = (await rows())[index];
  if (found === undefined) throw new Error(`Row ${String(index)} does not exist.`);
  return found;
}

export const tracked = (records: TrackingRecord[]): Answers => ({
  'GET /admin/sender-tracking': (call) => pageOf(records, call),
  'GET /users/by-id/1': { body: { id: 1, username: 'noura' } },
});
