import type { ExportLanguage } from './export-store.js';

export interface ExportedMessage {
  id: number;
  createdAt: string;
  content: string;
  prompt: string | null;
  isRead: boolean;
  isPublic: boolean;
  isSetAside: boolean;
  /** Path in the archive. */
  picture: string | null;
  sound: string | null;
  reply: { content: string; createdAt: string } | null;
  /** Id of the first message of its conversation. */
  conversationId: number | null;
}

export interface ExportedSentMessage {
  id: number;
  createdAt: string;
  content: string;
  prompt: string | null;
  /** The file itself belongs to the recipient. */
  picture: boolean;
  voice: boolean;
  reply: { content: string; createdAt: string } | null;
  /** Id of the first message of its conversation, unless it is that. */
  follows: number | null;
}

const TEXTS = {
  ar: {
    direction: 'rtl',
    locale: 'ar-EG',
    title: (name: string) => `رسائل ${name} في نجوى`,
    received: 'ما وصلك',
    sent: 'ما كتبته',
    withoutSenders: 'وليس في هذا الملف من كتبها.',
    nothing: 'لا شيء',
    isPublic: 'منشورة',
    isSetAside: 'وُضعت جانبًا',
    reply: 'ردّك',
    prompt: 'سؤالك:',
    picture: 'صورة مرفقة',
    itsReply: 'الردّ',
    itsPrompt: 'السؤال:',
    withPicture: 'معها صورة',
    voice: 'رسالة صوتية',
  },
  en: {
    direction: 'ltr',
    locale: 'en-GB',
    title: (name: string) => `Messages of ${name} on Najwa`,
    received: 'What you received',
    sent: 'What you wrote',
    withoutSenders: 'Who wrote them is not in this file.',
    nothing: 'Nothing',
    isPublic: 'Public',
    isSetAside: 'Set aside',
    reply: 'Your reply',
    prompt: 'Your question:',
    picture: 'Attached picture',
    itsReply: 'The reply',
    itsPrompt: 'The question:',
    withPicture: 'With a picture',
    voice: 'Voice message',
  },
} as const;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

const STYLES = `body{max-inline-size:44rem;margin:2rem auto;padding:0 1rem;font:1.05rem/1.7 system-ui,sans-serif;color:#16132a;background:#faf8f5}
article{background:#fff;border:1px solid #e4dfd8;border-radius:18px;padding:1rem 1.25rem;margin-block:1rem}
p{margin:0 0 .5rem;white-space:pre-wrap;overflow-wrap:anywhere}img{max-inline-size:100%;border-radius:12px}audio{inline-size:100%}
small{color:#5c566e}blockquote{margin:.75rem 0 0;padding-inline-start:1rem;border-inline-start:3px solid #6c47ff}
@media(prefers-color-scheme:dark){body{color:#f3f0fa;background:#14111f}article{background:#1e1a2d;border-color:#332d49}small{color:#b5aecb}}`;

interface ExportPage {
  account: { username: string; name: string; bio: string };
  received: AsyncIterable<ExportedMessage>;
  sent: AsyncIterable<ExportedSentMessage>;
}

export async function* exportPage(
  { account: { username, name, bio }, received, sent }: ExportPage,
  language: ExportLanguage,
): AsyncGenerator<string> {
  const { direction, locale, title, ...texts } = TEXTS[language];
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  const heading = escapeHtml(title(name));
  const question = (label: string, prompt: string | null): string =>
    prompt === null ? '' : `<p><small>${label}</small> <b dir="auto">${escapeHtml(prompt)}</b></p>`;
  const text = (content: string): string => (content === '' ? '' : `<p dir="auto">${escapeHtml(content)}</p>`);
  const marked = (createdAt: string, marks: readonly (string | false)[]): string => {
    const time = `<time datetime="${createdAt}">${times.format(new Date(createdAt))} UTC</time>`;
    return `<small>${[time, ...marks.filter((mark) => mark !== false)].join(' · ')}</small>`;
  };
  const answer = (label: string, reply: { content: string } | null): string =>
    reply === null ? '' : `<blockquote><small>${label}</small>${text(reply.content)}</blockquote>`;

  const receivedArticle = (message: ExportedMessage): string =>
    [
      question(texts.prompt, message.prompt),
      text(message.content),
      message.picture === null ? '' : `<p><img src="${message.picture}" alt="${texts.picture}" loading="lazy"></p>`,
      message.sound === null ? '' : `<p><audio controls preload="none" src="${message.sound}"></audio></p>`,
      marked(message.createdAt, [message.isPublic && texts.isPublic, message.isSetAside && texts.isSetAside]),
      answer(texts.reply, message.reply),
    ].join('');
  const sentArticle = (message: ExportedSentMessage): string =>
    [
      question(texts.itsPrompt, message.prompt),
      text(message.content),
      marked(message.createdAt, [message.voice && texts.voice, message.picture && texts.withPicture]),
      answer(texts.itsReply, message.reply),
    ].join('');

  async function* section<Message>(
    name: string,
    messages: AsyncIterable<Message>,
    article: (message: Message) => string,
  ): AsyncGenerator<string> {
    yield `<h2>${name}</h2>\n`;
    let isEmpty = true;
    for await (const message of messages) {
      yield `<article>${article(message)}</article>\n`;
      isEmpty = false;
    }
    if (isEmpty) yield `<p>${texts.nothing}</p>\n`;
  }

  yield `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${heading}</title><style>${STYLES}</style></head>
<body><h1>${heading}</h1><p><bdi dir="ltr">@${escapeHtml(username)}</bdi></p><p dir="auto">${escapeHtml(bio)}</p><p>${texts.withoutSenders}</p>\n`;
  yield* section(texts.received, received, receivedArticle);
  yield* section(texts.sent, sent, sentArticle);
  yield '</body></html>\n';
}
