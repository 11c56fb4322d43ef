import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Blob, Face, Font, Variation } from 'harfbuzzjs';

/** A font at one weight. */
export interface SizedFont {
  font: Font;
  unitsPerEm: number;
  covers: (codePoint: number) => boolean;
}

export type Weight = 400 | 500 | 600 | 700 | 800 | 900;

export interface Fonts {
  arabic(weight: Weight): SizedFont;
  /** Western letters first, then those of other alphabets. */
  latin(weight: Weight): readonly SizedFont[];
  emoji: SizedFont;
}

const require = createRequire(import.meta.url);

/** The package has no types of its own. */
const { decompress } = require('wawoff2') as { decompress: (font: Uint8Array) => Promise<Uint8Array> };

/** Parts of Inter, each with its own letters. */
const INTER_PARTS = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese'] as const;
const INTER_MAX_WEIGHT = 800;
/** The optical size for headings, in points. */
const INTER_OPTICAL_SIZE = 28;

/** One at a time: wawoff2 unpacks every font into the same memory. */
const readFont = async (name: string): Promise<Face> => {
  const file = await readFile(require.resolve(name));
  return new Face(new Blob(name.endsWith('.woff2') ? await decompress(file) : file));
};

function sizedFont(face: Face, variations: Record<string, number> = {}): SizedFont {
  const font = new Font(face);
  font.setVariations(Object.entries(variations).map(([tag, value]) => new Variation(tag, value)));
  const codePoints = new Set(face.collectUnicodes());
  // Pictures would have no text, and would be remembered.
  if (codePoints.size === 0) throw new Error('A font has no letters.');
  return { font, unitsPerEm: face.upem, covers: (codePoint) => codePoints.has(codePoint) };
}

/** Loads the fonts of the web client, unpacked, and one for emoji in a single colour. */
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
  const inter: Face[] = [];
  for (const part of INTER_PARTS)
    inter.push(await readFont(`@fontsource-variable/inter/files/inter-${part}-opsz-normal.woff2`));
  const emoji = sizedFont(await readFont('@expo-google-fonts/noto-emoji/700Bold/NotoEmoji_700Bold.ttf'));
  const latin = new Map<Weight, SizedFont[]>();
  return {
    arabic: (weight) => arabic[weight],
    latin(weight) {
      const known = latin.get(weight);
      if (known) return known;
      const wght = Math.min(weight, INTER_MAX_WEIGHT);
      const created = inter.map((face) => sizedFont(face, { wght, opsz: INTER_OPTICAL_SIZE }));
      latin.set(weight, created);
      return created;
    },
    emoji,
  };
}
