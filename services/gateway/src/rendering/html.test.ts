import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { HOSTILE_TEXTS } from '@najwa/testing';
import { contentOf, writePage } from './html.js';

const SHELL = `<!doctype html>
<html lang="ar" dir="rtl">
  <head>
    <!--head-->
  </head>
  <body><div id="root"><!--body--></div></body>
</html>`;

const HOSTILE = `</script><script>alert(1)</script><!-- "quoted' & $& $1 \u2028\u202e`;

const content = (text: string) => ({
  title: text,
  description: text,
  canonical: `https://najwa.example/m/${text}`,
  language: 'ar' as const,
  image: { url: `https://najwa.example/${text}`, alt: text },
  indexed: true,
  data: { profile: { name: text, bio: text } },
  words: { name: text, texts: text },
});

describe('the page of an account', () => {
  test('the page of an account has its own title, description, address and preview tags', () => {
    const page = writePage(SHELL, content('noura'));
    expect(page.match(/<title>/g)).toHaveLength(1);
    expect(page.match(/name="description"/g)).toHaveLength(1);
    expect(page).toContain('<title>noura</title>');
    expect(page).toContain('<link rel="canonical" href="https://najwa.example/m/noura" />');
    expect(page).toContain('<meta property="og:title" content="noura" />');
    expect(page).toContain('<meta property="og:image" content="https://najwa.example/noura" />');
  });

  test('a page with published messages asks for its carpet before the fonts', () => {
    const owner = { id: 1, username: 'noura', name: 'نورة', bio: '', avatar: null };
    const shell = SHELL.replace('<!--head-->', '<!--head--><link as="font" />');
    const pageWith = (published: number) =>
      writePage(shell, { ...content('noura'), ...contentOf(owner, 'https://najwa.example', 'noura', published) });
    expect(pageWith(1)).toMatch(/fetchpriority="high" href="\/carpet\/noura\.svg"[^]*as="font"/);
    expect(pageWith(0)).not.toContain('/carpet/');
  });

  // Threat model: sender-15.
  test('keeps hostile text from ending an attribute, an element or the data', () => {
    for (const text of [HOSTILE, ...HOSTILE_TEXTS]) {
      const page = writePage(SHELL, content(text));
      expect(page).not.toContain('<script>');
      expect(page).not.toContain('<!--');
      expect(page.match(/<\/script>/g)).toHaveLength(1);
      expect(page).not.toMatch(/content="[^"]*[<>][^"]*"/);
      expect(page).not.toMatch(/[\u2028\u202e].*<\/title>/);
      const [, data = ''] = /id="page-data">(.*)<\/script>/.exec(page) ?? [];
      expect(data).not.toMatch(/[<\u2028]/);
      expect(JSON.parse(data)).toEqual({ profile: { name: text, bio: text } });
    }
  });

  test('names the styles that it has and that are rendered, and no others', () => {
    const shell = SHELL.replace('<!--head-->', "<!--style-sources 'sha256-known='--><!--head-->");
    const policyIn = (page: string) => /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
    const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const styled = { ...content('<style>noura{}</style>'), styles: '<style data-styled>main{}</style>', body: '' };
    expect(policyIn(writePage(shell, styled))).toBe(`style-src 'self' 'sha256-known=' ${hashOf('main{}')}`);
    expect(policyIn(writePage(shell, content('noura')))).toBe("style-src 'self' 'sha256-known='");
    // The HTML of an older build leaves it to the header.
    expect(policyIn(writePage(SHELL, styled))).toBeUndefined();
  });

  test('preloads the Arabic fonts of an English page only for words with such letters', () => {
    const shell = SHELL.replace(
      '<!--head-->',
      '<!--head--><!--arabic-name <link a />--><!--arabic-texts <link b />-->',
    );
    const fontsOf = (name: string, texts: string) =>
      writePage(shell, { ...content('noura'), words: { name, texts } }).match(/<link [ab] \/>/g);
    expect(fontsOf('نورة', 'books')).toEqual(['<link a />']);
    expect(fontsOf('Noura', 'كتب')).toEqual(['<link b />']);
    expect(fontsOf('Noura', 'books')).toBeNull();
    expect(writePage(shell, content('noura'))).not.toContain('<!--');
  });

  test('the page of an unknown account is not listed by search engines', () => {
    const page = writePage(SHELL, { ...content('nobody'), indexed: false });
    expect(page).toContain('<meta name="robots" content="noindex" />');
    expect(page).not.toContain('rel="canonical"');
  });
});

test('the address of the preview picture changes with what it shows, and with nothing else', () => {
  const owner = { id: 1, username: 'noura', name: 'نورة', bio: 'كتب', avatar: '/image/a.jpg' };
  const addressOf = (changes: object) =>
    contentOf({ ...owner, ...changes }, 'https://najwa.example', 'noura').image?.url;
  const address = addressOf({});
  expect(address).toMatch(/^https:\/\/najwa\.example\/og\/noura\.png\?v=[\w-]{11}$/);
  const shown = [{ name: 'نوف' }, { avatar: '/image/b.jpg' }, { avatar: null }, { username: 'Noura' }];
  expect(new Set([address, ...shown.map(addressOf)]).size).toBe(5);
  for (const change of [{ bio: 'كتب كثيرة' }, { prompts: [{ id: 1, content: 'سؤال' }] }])
    expect(addressOf(change)).toBe(address);
});
