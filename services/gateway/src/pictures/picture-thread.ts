import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { PictureLanguage } from './canvas.js';
import { compose, widthOf, type PictureSubject } from './compose.js';
import { loadFonts } from './fonts.js';
import { createTypesetter } from './text.js';

const FOLDER = new URL('../../templates/', import.meta.url);
const RASTERISER = '@resvg/resvg-wasm/index_bg.wasm';

const template = async (name: string): Promise<Record<PictureLanguage, string>> => {
  const [ar, en] = await Promise.all(
    ['ar', 'en'].map((language) => readFile(new URL(`${name}-${language}.svg`, FOLDER), 'utf8')),
  );
  return { ar: ar ?? '', en: en ?? '' };
};

const [fonts, page, question, story, card] = await Promise.all([
  loadFonts(),
  template('page'),
  template('question'),
  template('story'),
  template('card'),
  readFile(createRequire(import.meta.url).resolve(RASTERISER)).then((code) => initWasm(code)),
]);
const typesetter = createTypesetter(fonts);
const templates = {
  getProfilePicture: page,
  getMessagePicture: question,
  getMessageStory: story,
  getArabicCard: card,
  getEnglishCard: card,
};

/** @param subject null only waits until everything is loaded */
export default (subject: PictureSubject | null): Uint8Array | undefined => {
  if (subject === null) return undefined;
  const svg = compose(subject, typesetter, templates);
  const drawing = new Resvg(svg, { fitTo: { mode: 'width', value: widthOf(subject) } });
  const image = drawing.render();
  const png = image.asPng();
  // Memory of the rasteriser is not collected.
  image.free();
  drawing.free();
  return png;
};
