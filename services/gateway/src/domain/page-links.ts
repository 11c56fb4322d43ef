/** A path that the web container answers with 404 and its page for unknown addresses. */
export const MISSING_PAGE = '/pages/';

/** The page of an account as the address names it, the path that was meant, or an address that leads nowhere. */
export type PageLink = { username: string } | { path: string } | 'missing';

const PAGE = /^\/m\/([\w.-]{1,64})\/?(?:\?|$)/;
const MANGLED = /^\/(m|r)\/([^?]*)(.*)$/is;
/** The token of a way back. */
const TOKEN = /^[\w-]{22}$/;
/** For password managers. */
const CHANGE_PASSWORD = /^\/\.well-known\/change-password\/?(?:\?|$)/;
const USERNAME = /^(?=.*[A-Za-z\d])[\w.-]{1,64}$/;

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const OUTER = /^[^\w.-]+|[^\w.-]+$/g;

/**
 * Reads the address of an account's page, or one of a way back that is not quite right. Apps and hands add to links what
 * follows them in a text: marks of direction, commas, brackets. Whatever no username can hold goes from its ends. Within a
 * name it stays, since leaving it out could lead to somebody else.
 * @returns undefined for addresses of other pages
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

const LANGUAGE_LINK = /^(\/(?![/\\])[^?]*)\?language=(ar|en)$/;

/** The link that changes the language of a page without scripts: the page's path, and the language. */
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
