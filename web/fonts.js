import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import subsetFont from 'subset-font';

/** Weights that styles use. The package's file has all from 100 to 900, in a third more bytes. */
const WEIGHTS = { min: 400, max: 900 };

const SOURCE = '@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2';

const lettersFrom = (first, last) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));

const MARKS = '\u00A0©«»·×–—‘’“”„…•€™−×←→↑↓';

/** Letters that both languages need on every page, and those of western Europe, which few pages have. */
const FILES = {
  'inter-basic': lettersFrom(0x20, 0x7e) + MARKS,
  'inter-western': lettersFrom(0xa1, 0xff),
};

/** Writes the fonts that are cut to what pages use, once, into a folder that is not committed. */
export async function prepareFonts() {
  const folder = path.join(import.meta.dirname, '.fonts');
  for (const [name, letters] of Object.entries(FILES)) {
    const target = path.join(folder, `${name}.woff2`);
    const isDone = await readFile(target).catch(() => undefined);
    if (isDone) continue;
    const source = await readFile(createRequire(import.meta.url).resolve(SOURCE));
    const font = await subsetFont(source, letters, { targetFormat: 'woff2', variationAxes: { wght: WEIGHTS } });
    await mkdir(folder, { recursive: true });
    await writeFile(target, font);
  }
}
