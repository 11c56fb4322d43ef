import './setup.js';
import { type First, PublicPage, type Unsent } from '../visitor/public-page/index.js';
import type { Language } from '../i18n/index.js';
import { buildProfile } from './factories.js';
import { renderRoutes } from './render.js';
import { startApi, type Answers } from './server.js';

export const profile = buildProfile({ name: 'نورة العلي', isVerified: true, visitorCount: 1284 });

export const published = {
  id: 9,
  userId: 1,
  ornament: '00000000000000a9',
  content: 'a public question',
  imageUrl: '/image/a.webp',
  audioUrl: null,
  audioType: null,
  audioDuration: null,
  audioPeaks: null,
  emoji: null,
  isRead: true,
  isPublic: true,
  createdAt: '2026-11-18T18:42:00.000Z',
  reply: { content: 'an honest answer', createdAt: '2026-11-19T10:00:00.000Z' },
};

export async function openPage({
  answers = {},
  language = 'en',
  path = '/m/noura',
  asked,
  unsent,
  first,
}: { answers?: Answers; language?: Language; path?: string; asked?: number; unsent?: Unsent; first?: First } = {}) {
  const api = await startApi({
    'GET /users/noura': { body: profile },
    'GET /messages/public/1': { body: [], headers: { 'x-total-count': '0' } },
    'POST /messages': { status: 201, body: { ...published, reply: undefined } },
    ...answers,
  });
  return {
    api,
    ...renderRoutes(
      [
        {
          path: '/m/:username',
          element: <PublicPage username={path.slice('/m/'.length)} asked={asked} unsent={unsent} first={first} />,
        },
      ],
      {
        apiRoot: api.apiRoot,
        path,
        language,
      },
    ),
  };
}
