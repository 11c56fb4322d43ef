import { createHash, hash } from 'node:crypto';
import { languageOf, PICTURES, picturePath } from '@najwa/proto/http/client';

export interface PageContent {
  title: string;
  description: string;
  canonical: string;
  language: 'ar' | 'en';
  /** None without an owner. */
  image?: { url: string; alt: string };
  carpet?: string;
  indexed: boolean;
  data: object;
  /** User text, maybe in the other language. */
  words: { name: string; texts: string };
  body?: string;
  styles?: string;
  renderedAt?: number;
}

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

/** Could change the direction of text that a chat app shows next. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

const escapeHtml = (text: string): string =>
  text
    .replace(BIDI_CONTROLS, '')
    .replace(/\s+/g, ' ')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** Ends neither its element nor a line of a script. */
const escapeJson = (value: object): string =>
  JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const LOCALES = { ar: 'ar_AR', en: 'en_GB' } as const;
const SITE_NAMES = { ar: 'نجوى', en: 'Najwa' } as const;

/** Hashes of the HTML's own styles (web/style-policy.js). */
const STYLE_SOURCES = /<!--style-sources ([^>]*)-->/;

const STYLE = /<style[^>]*>([^]*?)<\/style>/g;

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allows only the current styles. Rendered styles contain no user text. */
const withStylePolicy = (shell: string, styles: string): string =>
  shell.replace(STYLE_SOURCES, (_, known: string) => {
    const rendered = Array.from(styles.matchAll(STYLE), ([, text = '']) => sourceOf(text));
    const sources = ["'self'", known, ...rendered].join(' ');
    return `<meta http-equiv="Content-Security-Policy" content="style-src ${sources}" />`;
  });

const dataElement = (data: object): string =>
  `<script type="application/json" id="page-data">${escapeJson(data)}</script>`;

/** X reads Open Graph. */
function headOf(page: PageContent): string {
  const { title, description, canonical, language, image, carpet, indexed, data, styles } = page;
  const property = (name: string, content: string) => `<meta property="${name}" content="${escapeHtml(content)}" />`;
  const named = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}" />`;
  return [
    `<title>${escapeHtml(title)}</title>`,
    // Before the fonts: a phone paints nothing larger.
    ...(carpet === undefined ? [] : [`<link rel="preload" as="image" fetchpriority="high" href="${carpet}" />`]),
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
          property('og:image:width', String(PICTURES.getProfilePicture.width)),
          property('og:image:height', String(PICTURES.getProfilePicture.height)),
          property('og:image:alt', image.alt),
          named('twitter:card', 'summary_large_image'),
        ]),
    dataElement(data),
    ...(styles === undefined ? [] : [styles]),
  ].join('\n    ');
}

/** For Arabic on an English page (web/build.js). Browsers warn about unused preloads. */
const ARABIC_FONTS = /<!--arabic-(name|texts) ([^]*?)-->/g;

const withArabicFonts = (shell: string, { words }: PageContent): string =>
  shell.replace(ARABIC_FONTS, (_, of: keyof typeof words, links: string) => (ARABIC.test(words[of]) ? links : ''));

/** Shown unless rendered (web/build.js). */
const UNRENDERED = /<!--unrendered ([^]*?)-->/;

const HEAD = '<!--head-->';
const ROOT = '<div id="root"><!--body--></div>';

/** Of the form of web/src/visitor/public-page/Composer.tsx: two presses on one page are one message. */
const withFormKey = (shell: string, { renderedAt }: PageContent): string =>
  renderedAt === undefined
    ? shell
    : shell.replace('</body>', `<input type="hidden" name="key" form="message-form" value="${renderedAt}" />$&`);

export const writePage = (shell: string, content: PageContent): string =>
  fill(withFormKey(withArabicFonts(shell, content), content), headOf(content), content);

type RenderedPart = Pick<PageContent, 'data' | 'body' | 'styles' | 'renderedAt'>;

export function writeTaggedPage(shell: string, { title, ...content }: RenderedPart & { title?: string }): string {
  const own = title === undefined ? [] : [`<title>${escapeHtml(title)}</title>`];
  return fill(shell, [...own, dataElement(content.data), content.styles ?? ''].join('\n    '), content);
}

function fill(shell: string, head: string, { body, styles, renderedAt }: RenderedPart): string {
  // The body last: user text must not be subject to replacement.
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

/** Version of the drawing. */
const DRAWING = 3;

/** Chat apps cache by address, so it changes with everything drawn. */
const addressOf = (origin: string, { username, name, bio, avatar }: PageOwner, published: number): string => {
  const shown = [DRAWING, username, name, avatar, languageOf(`${name} ${bio}`), published];
  const drawn = hash('sha256', JSON.stringify(shown), 'base64url');
  return `${origin}${picturePath('getProfilePicture', username)}?v=${drawn.slice(0, 11)}`;
};

/**
 * Preview tags in the language of the owner's text.
 * @param owner null for an unknown username
 */
export function contentOf(
  owner: PageOwner | null,
  origin: string,
  username: string,
  published = 0,
): Omit<PageContent, 'data' | 'words' | 'body' | 'styles' | 'renderedAt'> {
  if (owner === null) {
    const { missing, missingText, title } = TEXTS.ar;
    const canonical = `${origin}/m/${username}`;
    return { title: title(missing), description: missingText, canonical, language: 'ar', indexed: false };
  }
  const { name, bio } = owner;
  const language = languageOf(`${name} ${bio}`);
  const { title, invitation, picture } = TEXTS[language];
  return {
    title: title(name),
    description: bio === '' ? invitation(name) : bio,
    canonical: `${origin}/m/${owner.username}`,
    language,
    image: { url: addressOf(origin, owner, published), alt: picture(name) },
    ...(published > 0 && { carpet: picturePath('getCarpet', owner.username) }),
    indexed: true,
  };
}
