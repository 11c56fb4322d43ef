import type { ExportLanguage } from '../db/exports.js';

/** A received message in an export. */
export interface ExportedMessage {
  id: number;
  createdAt: string;
  content: string;
  /** The question that it answers. */
  prompt: string | null;
  isRead: boolean;
  isPublic: boolean;
  isSetAside: boolean;
  /** Path in the file. */
  picture: string | null;
  sound: string | null;
  reply: { content: string; createdAt: string } | null;
}

const TEXTS = {
  ar: {
    direction: 'rtl',
    locale: 'ar-EG',
    title: (name: string) => `رسائل ${name} في نجوى`,
    nobody: 'وليس في هذا الملف من كتبها.',
    isPublic: 'منشورة',
    isSetAside: 'وُضعت جانبًا',
    reply: 'ردّك',
    prompt: 'سؤالك:',
    picture: 'صورة مرفقة',
  },
  en: {
    direction: 'ltr',
    locale: 'en-GB',
    title: (name: string) => `Messages of ${name} on Najwa`,
    nobody: 'Who wrote them is not in this file.',
    isPublic: 'Public',
    isSetAside: 'Set aside',
    reply: 'Your reply',
    prompt: 'Your question:',
    picture: 'Attached picture',
  },
} as const;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

const STYLES = `body{max-inline-size:44rem;margin:2rem auto;padding:0 1rem;font:1.05rem/1.7 system-ui,sans-serif;color:#16132a;background:#faf8f5}
article{background:#fff;border:1px solid #e4dfd8;border-radius:18px;padding:1rem 1.25rem;margin-block:1rem}
p{margin:0 0 .5rem;white-space:pre-wrap;overflow-wrap:anywhere}img{max-inline-size:100%;border-radius:12px}audio{inline-size:100%}
small{color:#5c566e}blockquote{margin:.75rem 0 0;padding-inline-start:1rem;border-inline-start:3px solid #6c47ff}
@media(prefers-color-scheme:dark){body{color:#f3f0fa;background:#14111f}article{background:#1e1a2d;border-color:#332d49}small{color:#b5aecb}}`;

/** The page of an export, written while the messages are read. It needs nothing from outside of the file. */
export async function* exportPage(
  { username, name, bio }: { username: string; name: string; bio: string },
  messages: AsyncIterable<ExportedMessage>,
  language: ExportLanguage,
): AsyncGenerator<string> {
  const { direction, locale, title, nobody, ...texts } = TEXTS[language];
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  const heading = escapeHtml(title(name));
  yield `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${heading}</title><style>${STYLES}</style></head>
<body><h1>${heading}</h1><p><bdi dir="ltr">@${escapeHtml(username)}</bdi></p><p dir="auto">${escapeHtml(bio)}</p><p>${nobody}</p>\n`;
  for await (const { createdAt, content, prompt, isPublic, isSetAside, picture, sound, reply } of messages) {
    const marks = [
      `<time datetime="${createdAt}">${times.format(new Date(createdAt))} UTC</time>`,
      ...(isPublic ? [texts.isPublic] : []),
      ...(isSetAside ? [texts.isSetAside] : []),
    ];
    yield [
      '<article>',
      ...(prompt === null ? [] : [`<p><small>${texts.prompt}</small> <b dir="auto">${escapeHtml(prompt)}</b></p>`]),
      ...(content === '' ? [] : [`<p dir="auto">${escapeHtml(content)}</p>`]),
      ...(picture === null ? [] : [`<p><img src="${picture}" alt="${texts.picture}" loading="lazy"></p>`]),
      ...(sound === null ? [] : [`<p><audio controls preload="none" src="${sound}"></audio></p>`]),
      `<small>${marks.join(' · ')}</small>`,
      ...(reply === null
        ? []
        : [`<blockquote><small>${texts.reply}</small><p dir="auto">${escapeHtml(reply.content)}</p></blockquote>`]),
      '</article>\n',
    ].join('');
  }
  yield '</body></html>\n';
}
