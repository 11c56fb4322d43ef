import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import subsetFont from 'subset-font';

/** Weights in use. All from 100 to 900 cost a third more. */
const WEIGHTS = { min: 400, max: 900 };

/** Applied by default, and tabular digits. Other features are a seventh of a file. */
const FEATURES = ['calt', 'ccmp', 'clig', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'rclt', 'rlig', 'rvrn', 'tnum'];

const sourceOf = (letters) => `@fontsource-variable/inter/files/inter-${letters}-opsz-normal.woff2`;

const lettersFrom = (first, last) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));

const MARKS = '\u00A0©«»·×–—‘’“”„…•€™−×←→↑↓';

/** Letters for every page, for western Europe, and for its other languages and Turkish. */
const FILES = {
  'inter-basic': { from: 'latin', letters: lettersFrom(0x20, 0x7e) + MARKS },
  'inter-western': { from: 'latin', letters: `${lettersFrom(0xa1, 0xff)}ıŒœ` },
  'inter-european': { from: 'latin-ext', letters: lettersFrom(0x100, 0x17f) },
};

/** Arabic digits and their signs. */
const DIGITS = lettersFrom(0x660, 0x66c);
const DIGIT_WEIGHTS = [500, 700];

/** Stand in for them where a reader prefers western digits. */
const WESTERN_DIGITS = '0123456789%.,';

/** What stands between Arabic words, and the package's file of Arabic letters lacks. */
const TAJAWAL_MARKS = ' \u00A0.:!()«»…·';
const MARK_WEIGHTS = [400, 800];

/** A subset may not have the font's reserved name. Texts in a font are UTF-16. */
function rename(font) {
  for (const [from, to] of [
    ['IBM Plex Sans Arabic', 'Najwa Digits        '],
    ['IBMPlexSansArabic', 'NajwaDigits------'],
  ]) {
    const [before, after] = [from, to].map((name) => Buffer.from(name, 'utf16le').swap16());
    for (let at = font.indexOf(before); at !== -1; at = font.indexOf(before, at)) after.copy(font, at);
  }
  return font;
}

async function cutDigits(weight, letters) {
  const file = `@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-${letters}-${weight}-normal.woff2`;
  const source = await readFile(createRequire(import.meta.url).resolve(file));
  const isWestern = letters === 'latin';
  const font = rename(await subsetFont(source, isWestern ? WESTERN_DIGITS : DIGITS, { targetFormat: 'sfnt' }));
  return subsetFont(isWestern ? asArabic(font) : font, DIGITS, { targetFormat: 'woff2' });
}

/** Gives western digits the letters of Arabic ones, in each table of letters (cmap, format 4), sorted by letter. */
function asArabic(font) {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + 16 * index);
  const cmap = font.readUInt32BE(tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap') + 8);
  const encodings = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, index) => cmap + 8 + 8 * index);
  for (const at of new Set(encodings.map((encoding) => cmap + font.readUInt32BE(encoding)))) {
    const size = font.readUInt16BE(at + 6);
    const [ends, starts, deltas] = [at + 14, at + 16 + size, at + 16 + 2 * size];
    const segments = [];
    // The last segment only ends the table.
    for (let step = 0; step < size - 2; step += 2) {
      const [first, last] = [font.readUInt16BE(starts + step), font.readUInt16BE(ends + step)];
      const moved = DIGITS.codePointAt(WESTERN_DIGITS.indexOf(String.fromCodePoint(first))) - first;
      segments.push([last + moved, first + moved, (font.readUInt16BE(deltas + step) - moved) & 0xffff]);
    }
    segments.sort(([a], [b]) => a - b);
    for (const [index, values] of segments.entries())
      for (const [array, value] of values.entries())
        font.writeUInt16BE(value, [ends, starts, deltas][array] + 2 * index);
  }
  return font;
}

async function cutMarks(weight) {
  const file = `@fontsource/tajawal/files/tajawal-latin-${weight}-normal.woff2`;
  return subsetFont(await readFile(createRequire(import.meta.url).resolve(file)), TAJAWAL_MARKS, {
    targetFormat: 'woff2',
  });
}

async function cutLetters({ from, letters }) {
  const source = await readFile(createRequire(import.meta.url).resolve(sourceOf(from)));
  return subsetFont(source, letters, {
    targetFormat: 'woff2',
    variationAxes: { wght: WEIGHTS },
    keepFeatures: FEATURES,
  });
}

const changedAt = async (file) => (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;

/** Writes subsets into an ignored folder whenever this file has changed. */
export async function prepareFonts() {
  const folder = path.join(import.meta.dirname, '.fonts');
  const cuts = [
    ...Object.entries(FILES).map(([name, file]) => [name, () => cutLetters(file)]),
    ...DIGIT_WEIGHTS.flatMap((weight) => [
      [`najwa-digits-${weight}`, () => cutDigits(weight, 'arabic')],
      [`western-digits-${weight}`, () => cutDigits(weight, 'latin')],
    ]),
    ...MARK_WEIGHTS.map((weight) => [`tajawal-marks-${weight}`, () => cutMarks(weight)]),
  ];
  for (const [name, cut] of cuts) {
    const target = path.join(folder, `${name}.woff2`);
    if ((await changedAt(target)) > (await changedAt(import.meta.filename))) continue;
    const font = await cut();
    await mkdir(folder, { recursive: true });
    await writeFile(target, font);
  }
}
