import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Blob, Face, Font, Variation } from 'harfbuzzjs';

export interface SizedFont {
  font: Font;
  unitsPerEm: number;
  covers: (codePoint: number) => boolean;
}

export type Weight = 400 | 500 | 600 | 700 | 800 | 900;

export interface Fonts {
  /** Arabic digits, tried first: Tajawal's zero is a diamond, like the dots of the site. */
  digits(weight: Weight): SizedFont;
  arabic(weight: Weight): SizedFont;
  latin(weight: Weight): readonly SizedFont[];
  emoji: SizedFont;
  /** For other scripts, as loaded by `prepare`. */
  others(weight: Weight): readonly SizedFont[];
  prepare(text: string): Promise<void>;
}

const require = createRequire(import.meta.url);

/** The package has no types. */
const { decompress } = require('wawoff2') as { decompress: (font: Uint8Array) => Promise<Uint8Array> };

const INTER_PARTS = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'] as const;
const INTER_MAX_WEIGHT = 800;
const INTER_OPTICAL_SIZE = 28;

/**
 * Fallbacks by script; the first with the letter draws it. Chinese precedes Japanese and Korean, which add kana and
 * syllables.
 */
const OTHERS = [
  '@fontsource-variable/noto-sans-arabic',
  ...[
    'hebrew',
    'devanagari',
    'bengali',
    'gujarati',
    'gurmukhi',
    'kannada',
    'malayalam',
    'oriya',
    'sinhala',
    'tamil',
  ].map((script) => `@fontsource-variable/noto-sans-${script}`),
  ...['telugu', 'thaana', 'thai', 'lao', 'khmer', 'armenian', 'ethiopic', 'georgian', 'sc', 'jp', 'kr', 'symbols'].map(
    (script) => `@fontsource-variable/noto-sans-${script}`,
  ),
  ...['myanmar', 'tifinagh', 'symbols-2', 'math'].map((script) => `@fontsource/noto-sans-${script}`),
];

/** ٠–٩ and their signs, as in the client (web/fonts.js). */
const isDigit = (codePoint: number): boolean => codePoint >= 0x660 && codePoint <= 0x66c;
const DIGIT_SCALE = 1.06;

interface LoadedFace {
  face: Face;
  codePoints: ReadonlySet<number>;
}

/** One at a time: wawoff2 unpacks all fonts into the same memory. */
async function readFont(name: string): Promise<LoadedFace> {
  const file = await readFile(require.resolve(name));
  const face = new Face(new Blob(name.endsWith('.woff2') ? await decompress(file) : file));
  const codePoints = new Set(face.collectUnicodes());
  // Pictures without text would be cached.
  if (codePoints.size === 0) throw new Error('A font has no letters.');
  return { face, codePoints };
}

function sizedFont({ face, codePoints }: LoadedFace, variations: Record<string, number> = {}): SizedFont {
  const font = new Font(face);
  font.setVariations(Object.entries(variations).map(([tag, value]) => new Variation(tag, value)));
  return { font, unitsPerEm: face.upem, covers: (codePoint) => codePoints.has(codePoint) };
}

function once<Made>(make: (weight: Weight) => Made): (weight: Weight) => Made {
  const made = new Map<Weight, Made>();
  return (weight) => {
    const known = made.get(weight) ?? make(weight);
    made.set(weight, known);
    return known;
  };
}

interface Part {
  file: string;
  ranges: readonly (readonly [first: number, last: number])[];
}

async function readParts(name: string): Promise<Part[]> {
  const ranges = JSON.parse(await readFile(require.resolve(`${name}/unicode.json`), 'utf8')) as Record<string, string>;
  const family = name.slice(name.indexOf('/') + 1);
  const form = name.startsWith('@fontsource-variable/') ? 'wght' : '400';
  return Object.entries(ranges).map(([part, text]) => ({
    file: `${name}/files/${family}-${part.replace(/[[\]]/g, '')}-${form}-normal.woff2`,
    ranges: text.split(',').map((range) => {
      const [first = '', last = first] = range.replace('U+', '').split('-');
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
    }),
  }));
}

/** On demand: all take 30 MB compressed, and most pictures need none. */
function createOtherFonts(isCovered: (codePoint: number) => boolean): Pick<Fonts, 'others' | 'prepare'> {
  const loaded = new Map<string, { face: LoadedFace; sized: (weight: Weight) => SizedFont }>();
  let parts: Promise<Part[]> | undefined;

  const load = async (file: string): Promise<LoadedFace> => {
    const known = loaded.get(file);
    if (known) return known.face;
    const face = await readFont(file);
    loaded.set(file, { face, sized: once((weight) => sizedFont(face, { wght: weight })) });
    return face;
  };

  return {
    others: (weight) => [...loaded.values()].map(({ sized }) => sized(weight)),
    async prepare(text) {
      const missing = new Set([...text].map((character) => character.codePointAt(0) ?? 0));
      for (const codePoint of missing) {
        if (isCovered(codePoint)) continue;
        parts ??= Promise.all(OTHERS.map(readParts)).then((found) => found.flat());
        for (const { file, ranges } of await parts) {
          if (!ranges.some(([first, last]) => codePoint >= first && codePoint <= last)) continue;
          if ((await load(file)).codePoints.has(codePoint)) break;
        }
      }
    },
  };
}

export async function loadFonts(): Promise<Fonts> {
  const tajawal = async (weight: number): Promise<SizedFont> =>
    sizedFont(await readFont(`@fontsource/tajawal/files/tajawal-arabic-${weight}-normal.woff2`));
  const bold = await tajawal(700);
  const arabic = {
    400: await tajawal(400),
    500: await tajawal(500),
    // Tajawal has no 600.
    600: bold,
    700: bold,
    800: await tajawal(800),
    900: await tajawal(900),
  };
  const plex = async (weight: number): Promise<SizedFont> => {
    const sized = sizedFont(
      await readFont(`@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-${weight}-normal.woff2`),
    );
    return { ...sized, unitsPerEm: sized.unitsPerEm / DIGIT_SCALE, covers: isDigit };
  };
  const digits = { medium: await plex(500), bold: await plex(700) };
  const inter: LoadedFace[] = [];
  for (const part of INTER_PARTS)
    inter.push(await readFont(`@fontsource-variable/inter/files/inter-${part}-opsz-normal.woff2`));
  const emoji = sizedFont(await readFont('@expo-google-fonts/noto-emoji/700Bold/NotoEmoji_700Bold.ttf'));
  const covered = [arabic[400], emoji];
  return {
    digits: (weight) => (weight < 600 ? digits.medium : digits.bold),
    arabic: (weight) => arabic[weight],
    latin: once((weight) => {
      const wght = Math.min(weight, INTER_MAX_WEIGHT);
      return inter.map((face) => sizedFont(face, { wght, opsz: INTER_OPTICAL_SIZE }));
    }),
    emoji,
    ...createOtherFonts(
      (codePoint) =>
        covered.some(({ covers }) => covers(codePoint)) || inter.some(({ codePoints }) => codePoints.has(codePoint)),
    ),
  };
}
