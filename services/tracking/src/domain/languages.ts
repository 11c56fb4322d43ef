const TAG = /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/i;
const MAX_LANGUAGES = 10;

/** The languages of an Accept-Language header, the preferred one first (RFC 9110, section 12.5.4). */
export function readLanguages(acceptLanguage: string): string[] {
  return acceptLanguage
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ tag, quality }) => TAG.test(tag) && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .slice(0, MAX_LANGUAGES)
    .map(({ tag }) => tag);
}
