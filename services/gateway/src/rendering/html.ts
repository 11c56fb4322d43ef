import { createHash, hash } from 'node:crypto';
import { languageOf, PICTURES, picturePath } from '@najwa/proto/http/client';

export interface PreviewImage {
  /** With the host. */
  url: string;
  width: number;
  height: number;
  /** For people who cannot see it. */
  alt: string;
}

/** Description of a page for people, crawlers and the client. */
export interface PageContent {
  title: string;
  description: string;
  /** Address of the page itself. */
  canonical: string;
  language: 'ar' | 'en';
  /** Preview picture. Pages without an owner have none. */
  image?: PreviewImage;
  /** False for pages that search engines should not list. */
  indexed: boolean;
  /** For the client, so that it need not ask. */
  data: object;
  /** Words of users, which may have letters of the other language. */
  words: { name: string; texts: string };
  /** The client's rendering: content of the root element, and its styles. Without it the client does. */
  body?: string;
  styles?: string;
  /** Time in milliseconds. */
  renderedAt?: number;
}

/** The public profile of the page's owner. */
export interface PageOwner {
  id: number;
  username: string;
  name: string;
  bio: string;
  avatar: string | null;
  prompts?: { id: number; content: string }[];
}

const ARABIC = /\p{Script=Arabic}/u;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Bidi controls of a user's text could turn around the text that a chat app shows after it. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

const escapeHtml = (text: string): string =>
  text
    .replace(BIDI_CONTROLS, '')
    .replace(/\s+/g, ' ')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** JSON that cannot end the element that it is in, nor a line of a script. */
const escapeJson = (value: object): string =>
  JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const LOCALES = { ar: 'ar_AR', en: 'en_GB' } as const;
const SITE_NAMES = { ar: 'نجوى', en: 'Najwa' } as const;

/** Hashes of the styles that the client's HTML has by itself (web/style-policy.js). */
const STYLE_SOURCES = /<!--style-sources ([^>]*)-->/;

const STYLE = /<style[^>]*>([^]*?)<\/style>/g;

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Has the page refuse all styles that it does not have now. Those of the rendering are no words of a user. */
const withStylePolicy = (shell: string, styles: string): string =>
  shell.replace(STYLE_SOURCES, (_, known: string) => {
    const rendered = Array.from(styles.matchAll(STYLE), ([, text = '']) => sourceOf(text));
    const sources = ["'self'", known, ...rendered].join(' ');
    return `<meta http-equiv="Content-Security-Policy" content="style-src ${sources}" />`;
  });

const dataElement = (data: object): string =>
  `<script type="application/json" id="page-data">${escapeJson(data)}</script>`;

function headOf({ title, description, canonical, language, image, indexed, data, styles }: PageContent): string {
  const property = (name: string, content: string) => `<meta property="${name}" content="${escapeHtml(content)}" />`;
  const named = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}" />`;
  return [
    `<title>${escapeHtml(title)}</title>`,
    named('description', description),
    ...(indexed ? [`<link rel="canonical" href="${escapeHtml(canonical)}" />`] : [named('robots', 'noindex')]),
    property('og:type', 'profile'),
    property('og:site_name', SITE_NAMES[language]),
    property('og:locale', LOCALES[language]),
    property('og:title', title),
    property('og:description', description),
    property('og:url', canonical),
    ...(image === undefined
      ? [named('twitter:card', 'summary')]
      : [
          property('og:image', image.url),
          property('og:image:type', 'image/png'),
          property('og:image:width', String(image.width)),
          property('og:image:height', String(image.height)),
          property('og:image:alt', image.alt),
          named('twitter:card', 'summary_large_image'),
          named('twitter:image', image.url),
          named('twitter:image:alt', image.alt),
        ]),
    named('twitter:title', title),
    named('twitter:description', description),
    dataElement(data),
    ...(styles === undefined ? [] : [styles]),
  ].join('\n    ');
}

/** Fonts for Arabic words on an English page (web/build.js). A browser warns of a font that is preloaded for nothing. */
const ARABIC_FONTS = /<!--arabic-(name|texts) ([^]*?)-->/g;

const withArabicFonts = (shell: string, { words }: PageContent): string =>
  shell.replace(ARABIC_FONTS, (_, of: keyof typeof words, links: string) => (ARABIC.test(words[of]) ? links : ''));

/** A notice that the page needs scripts, unless it is rendered (web/build.js). */
const UNRENDERED = /<!--unrendered ([^]*?)-->/;

const HEAD = '<!--head-->';
const ROOT = '<div id="root"><!--body--></div>';

/** Writes a page's own tags, data and content into the client's HTML. */
export const writePage = (shell: string, content: PageContent): string =>
  fill(withArabicFonts(shell, content), headOf(content), content);

type RenderedPart = Pick<PageContent, 'data' | 'body' | 'styles' | 'renderedAt'>;

/** Writes a page that the client's HTML has the tags for, all but a title that depends on the data. */
export function writeTaggedPage(shell: string, { title, ...content }: RenderedPart & { title?: string }): string {
  const own = title === undefined ? [] : [`<title>${escapeHtml(title)}</title>`];
  return fill(shell, [...own, dataElement(content.data), content.styles ?? ''].join('\n    '), content);
}

function fill(shell: string, head: string, { body, styles, renderedAt }: RenderedPart): string {
  // The content comes last, because it holds a user's text, in which nothing may be replaced.
  return withStylePolicy(shell, styles ?? '')
    .replace(UNRENDERED, (_, notice: string) => (body === undefined ? notice : ''))
    .replace(HEAD, () => head)
    .replace(ROOT, () =>
      body === undefined ? '<div id="root"></div>' : `<div id="root" data-rendered="${renderedAt}">${body}</div>`,
    );
}

const TEXTS = {
  ar: {
    title: (name: string) => `${name} · نجوى`,
    invitation: (name: string) => `اكتب إلى ${name} من دون اسمك. يصل الكلام، ويبقى الاسم عندك.`,
    picture: (name: string) => `صفحة ${name} في نجوى: اكتب لي بلا اسم.`,
    missing: 'المستخدم غير موجود',
    missingText: 'هذا المستخدم غير موجود، أو أن الرابط غير صحيح.',
  },
  en: {
    title: (name: string) => `${name} · Najwa`,
    invitation: (name: string) => `Write to ${name} without your name. The words arrive, the name stays with you.`,
    picture: (name: string) => `${name} on Najwa: write to me, no name needed.`,
  },
} as const;

/** Of the drawing, which chat apps then fetch again. */
const DRAWING = 2;

/** Chat apps keep a picture for as long as its address stays, so the address changes with all that is drawn. */
const addressOf = (origin: string, { username, name, bio, avatar }: PageOwner): string => {
  const shown = [DRAWING, username, name, avatar, languageOf(`${name} ${bio}`)];
  const drawn = hash('sha256', JSON.stringify(shown), 'base64url');
  return `${origin}${picturePath('getProfilePicture', username)}?v=${drawn.slice(0, 11)}`;
};

/**
 * Texts of the preview tags of an account's page, in the language of its owner's words.
 * @param owner null if nobody has the username
 */
export function contentOf(
  owner: PageOwner | null,
  origin: string,
  username: string,
): Omit<PageContent, 'data' | 'words' | 'body' | 'styles' | 'renderedAt'> {
  if (owner === null) {
    const { missing, missingText, title } = TEXTS.ar;
    const canonical = `${origin}/m/${username}`;
    return { title: title(missing), description: missingText, canonical, language: 'ar', indexed: false };
  }
  const { name, bio } = owner;
  const { width, height } = PICTURES.getProfilePicture;
  const language = languageOf(`${name} ${bio}`);
  const { title, invitation, picture } = TEXTS[language];
  return {
    title: title(name),
    description: bio === '' ? invitation(name) : bio,
    canonical: `${origin}/m/${owner.username}`,
    language,
    image: { url: addressOf(origin, owner), width, height, alt: picture(name) },
    indexed: true,
  };
}
