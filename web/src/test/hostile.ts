import { countCharacters } from '@najwa/proto/http/client';
import { FORBIDDEN_TEXTS, HOSTILE_TEXTS } from '../../../deploy/testing/src/test-bed/hostile-texts.js';

export { FORBIDDEN_TEXTS, HOSTILE_TEXTS };

/** All that fit a field of this length, in few texts. */
export function packedFor(max: number): string[] {
  const packed: string[] = [];
  let length = max;
  for (const text of HOSTILE_TEXTS.filter((each) => countCharacters(each) <= max)) {
    const added = countCharacters(`\n${text}`);
    if (length + added > max) {
      packed.push(text);
      length = countCharacters(text);
    } else {
      packed[packed.length - 1] += `\n${text}`;
      length += added;
    }
  }
  return packed;
}

/* These functions also run in a browser, without the rest of this file. */

/** Elements and attributes of hostile texts, which no page of ours has. */
export function strangeMarkup(page = document): string[] {
  const elements =
    'iframe, frame, object, embed, applet, base, portal, plaintext, xmp, listing, marquee, math, foreignObject, animate, set, ' +
    'template, dialog, x-y, bdo, frameset, meta[http-equiv=refresh], [srcdoc], [formaction], [href^="javascript:" i], ' +
    'body > div script, body > div style, body > div link:not([rel=preload])';
  const loading = new Set(['href', 'src', 'srcset', 'action', 'style', 'data', 'poster', 'background', 'xlink:href']);
  const strange = [...page.querySelectorAll(elements)].map(({ outerHTML }) => outerHTML);
  for (const element of page.querySelectorAll('*'))
    for (const { name, value } of element.attributes)
      if (/^on/i.test(name) || (loading.has(name) && /xss[.=]/.test(value) && !value.startsWith('/api/')))
        strange.push(element.outerHTML);
  return strange.map((markup) => markup.slice(0, 200));
}

/** Texts that neither an element nor a field shows as written, apart from bidi controls. */
export function missingTexts(wanted: readonly string[], page = document): string[] {
  const plain = (text: string) => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
  const shown = new Set<string>();
  for (const element of page.querySelectorAll('body *')) {
    shown.add(plain(element.textContent));
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) shown.add(plain(element.value));
  }
  return wanted.filter((text) => !shown.has(plain(text)));
}
