export const MISSING_PAGE = '/pages/';

export type PageLink = { username: string } | { path: string } | 'missing';

const PAGE = /^\/m\/([\w.-]{1,64})\/?(?:\?|$)/;
const MANGLED = /^\/(m|r)\/([^?]*)(.*)$/is;
const TOKEN = /^[\w-]{22}$/;
const CHANGE_PASSWORD = /^\/\.well-known\/change-password\/?(?:\?|$)/;
const USERNAME = /^(?=.*[A-Za-z\d])[\w.-]{1,64}$/;

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const OUTER = /^[^\w.-]+|[^\w.-]+$/g;

/**
 * Repairs links to pages and ways back: apps and people append marks of direction, commas or brackets. Strips these at
 * the ends only, since a change within a name could lead to another account.
 * @returns undefined for other pages
 */
export function readPageLink(target: string): PageLink | undefined {
  const [, exact] = PAGE.exec(target) ?? [];
  if (exact !== undefined) return { username: exact.toLowerCase() };
  const [, place = '', written, query = ''] = MANGLED.exec(target) ?? [];
  if (written === undefined) return CHANGE_PASSWORD.test(target) ? { path: '/settings/access' } : undefined;
  const name = decode(written)?.replace(INVISIBLE, '').replace(OUTER, '') ?? '';
  if (place.toLowerCase() === 'm') return USERNAME.test(name) ? { path: `/m/${name}${query}` } : 'missing';
  const token = name.replace(/\.+$/, '');
  const path = `/r/${token}${query}`;
  return TOKEN.test(token) && path !== target ? { path } : undefined;
}

const VISIT = /^\/m\/([\w.-]{1,64})\/seen$/;

/** The picture in an account's page that counts its visit. @returns the username */
export const readVisit = (target: string): string | undefined => VISIT.exec(target)?.[1]?.toLowerCase();

const LANGUAGE_LINK = /^(\/(?![/\\])[^?]*)\?language=(ar|en)$/;

/** Changes the language of a page without scripts. */
export function readLanguageLink(target: string): { path: string; language: 'ar' | 'en' } | undefined {
  const [, path, language] = LANGUAGE_LINK.exec(target) ?? [];
  return path === undefined ? undefined : { path, language: language === 'en' ? 'en' : 'ar' };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
