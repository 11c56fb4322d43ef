import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { lowerThreadPriority } from '@najwa/common/priority';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { PictureLanguage } from './canvas.js';
import { compose, widthOf, type PictureSubject } from './compose.js';
import { loadFonts } from './fonts.js';
import { Typesetter, UndrawableTextError } from './text.js';

const FOLDER = new URL('../../templates/', import.meta.url);
const RASTERISER = '@resvg/resvg-wasm/index_bg.wasm';

const template = async (name: string): Promise<Record<PictureLanguage, string>> => {
  const [ar, en] = await Promise.all(
    ['ar', 'en'].map((language) => readFile(new URL(`${name}-${language}.svg`, FOLDER), 'utf8')),
  );
  return { ar: ar ?? '', en: en ?? '' };
};

lowerThreadPriority();

const [fonts, plain, story, card] = await Promise.all([
  loadFonts(),
  readFile(new URL('plain.svg', FOLDER), 'utf8'),
  template('story'),
  template('card'),
  readFile(createRequire(import.meta.url).resolve(RASTERISER)).then((code) => initWasm(code)),
]);
const typesetter = new Typesetter(fonts);
const templates = { plain, story, card };

function textOf({ language, name, ...subject }: PictureSubject): string {
  const texts = 'question' in subject ? [subject.asked, subject.question, subject.answer] : [];
  return [name, name.toLocaleUpperCase(language), ...texts].join(' ').normalize('NFC');
}

/** @param subject null waits until everything is loaded */
export default async (subject: PictureSubject | null): Promise<Uint8Array | 'undrawable' | undefined> => {
  if (subject === null) return undefined;
  await fonts.prepare(textOf(subject));
  let svg: string;
  try {
    svg = compose(subject, typesetter, templates);
  } catch (error) {
    if (error instanceof UndrawableTextError) return 'undrawable';
    throw error;
  }
  const drawing = new Resvg(svg, { fitTo: { mode: 'width', value: widthOf(subject) } });
  const image = drawing.render();
  const png = image.asPng();
  // The rasteriser's memory is not collected.
  image.free();
  drawing.free();
  return png;
};
