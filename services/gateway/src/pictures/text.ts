import { createRequire } from 'node:module';
import type { Bidi } from 'bidi-js';
import { Buffer as ShapingBuffer, Direction, shape } from 'harfbuzzjs';
import type { Fonts, SizedFont, Weight } from './fonts.js';

export type TextDirection = 'rtl' | 'ltr';

export interface TextStyle {
  weight: Weight;
  /** Its font draws what both have, such as digits. */
  language: 'ar' | 'en';
  direction?: TextDirection;
  /** In em, left to right only. */
  tracking?: number;
}

export type WrapStyle = Pick<TextStyle, 'weight' | 'tracking'>;

export interface Line {
  width: number;
  /** As paths. @param x of the left end, @param y of the baseline */
  draw(x: number, y: number, size: number, fill: string): string;
}

export interface Fit {
  size: number;
  lineHeight: number;
  maxLines: number;
}

export interface Paragraph extends Fit {
  lines: Line[];
  direction: TextDirection;
  isCut: boolean;
}

// The types describe the bundler's module; node loads a function.
const bidi = (createRequire(import.meta.url)('bidi-js') as () => Bidi)();
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

const MAX_LENGTH = 8_000;
/** Per letter. More would overlap adjacent lines. */
const MAX_MARKS = 4;
const ELLIPSIS = '…';
const NOT_BEFORE_ELLIPSIS = /^[ ،,;؛.:]$/;

const RTL_LETTER = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;
const EMOJI = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f/u;
const MARKS = /\p{M}/gu;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;
const ARABIC = /\p{Script_Extensions=Arabic}/gu;
/** Controls, and what would change the direction of adjacent text. */
const UNWANTED = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;

export function directionOf(text: string): TextDirection {
  const letter = /\p{L}/u.exec(text.replace(EMOJI, ''))?.[0];
  return letter !== undefined && !RTL_LETTER.test(letter) ? 'ltr' : 'rtl';
}

interface Piece {
  text: string;
  font: SizedFont;
}

/** Width in em. An empty word ends a line. */
interface Word {
  pieces: readonly Piece[];
  width: number;
}

interface Glyph {
  id: number;
  x: number;
  y: number;
}

/** No font has all letters. A picture without them would say something else. */
export class UndrawableTextError extends Error {
  constructor() {
    super('No font has all letters of the text.');
    this.name = 'UndrawableTextError';
  }
}

interface Choice {
  usual: readonly SizedFont[];
  emojiFirst: readonly SizedFont[];
  space: SizedFont;
  tracking: number;
}

type ShapedRun = ReturnType<typeof shapeRun>;

const buffer = new ShapingBuffer();

function shapeRun(text: string, { font, unitsPerEm }: SizedFont, isRtl: boolean, startEm: number, tracking: number) {
  buffer.reset();
  buffer.addText(text);
  buffer.setDirection(isRtl ? Direction.RTL : Direction.LTR);
  buffer.guessSegmentProperties();
  shape(font, buffer);
  let x = startEm * unitsPerEm;
  const glyphs: Glyph[] = [];
  const positions = buffer.getGlyphPositions();
  for (const [index, { codepoint }] of buffer.getGlyphInfos().entries()) {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    glyphs.push({ id: codepoint, x: (x + xOffset) / unitsPerEm, y: yOffset / unitsPerEm });
    x += xAdvance;
    // Marks take no space.
    if (!isRtl && xAdvance > 0) x += tracking * unitsPerEm;
  }
  return { glyphs, font, unitsPerEm, endEm: x / unitsPerEm };
}

function layOut(pieces: readonly Piece[], direction: TextDirection, tracking: number): Line {
  const text = pieces.map((piece) => piece.text).join('');
  const { levels } = bidi.getEmbeddingLevels(text, direction);
  const runs: { text: string; font: SizedFont; level: number }[] = [];
  let at = 0;
  for (const { text: part, font } of pieces) {
    const level = levels[at] ?? 0;
    const last = runs.at(-1);
    if (last?.font === font && last.level === level) last.text += part;
    else runs.push({ text: part, font, level });
    at += part.length;
  }
  const shaped: ShapedRun[] = [];
  let width = 0;
  for (const { text: part, font, level } of inVisualOrder(runs)) {
    const run = shapeRun(part, font, level % 2 === 1, width, tracking);
    width = run.endEm;
    shaped.push(run);
  }
  return {
    width,
    draw(x, y, size, fill) {
      // Lazy: most lines are only measured, and outlines cost as much as shaping.
      const paths = shaped.flatMap(({ glyphs, font, unitsPerEm }) =>
        glyphs.map((glyph) => {
          const path = font.glyphToPath(glyph.id);
          if (path === '') return '';
          const scale = (size / unitsPerEm).toFixed(6);
          const place = `${(x + glyph.x * size).toFixed(2)} ${(y - glyph.y * size).toFixed(2)}`;
          return `<path transform="translate(${place}) scale(${scale} -${scale})" d="${path}"/>`;
        }),
      );
      return `<g fill="${fill}">${paths.join('')}</g>`;
    },
  };
}

const clean = (text: string): string => text.slice(0, MAX_LENGTH).normalize('NFC').replace(UNWANTED, '');

function piecesOf(text: string, { usual, emojiFirst }: Choice): Piece[] {
  const pieces: Piece[] = [];
  for (const { segment } of graphemes.segment(text)) {
    let marks = 0;
    const short = segment.replace(MARKS, (mark) => ((marks += 1) <= MAX_MARKS ? mark : ''));
    const points = [...short].filter((point) => !IGNORABLE.test(point));
    if (points.length === 0) continue;
    const candidates = EMOJI.test(short) ? emojiFirst : usual;
    const font = candidates.find(({ covers }) => points.every((point) => covers(point.codePointAt(0) ?? 0)));
    if (font === undefined) throw new UndrawableTextError();
    pieces.push({ text: short, font });
  }
  return pieces;
}

function withEllipsis(pieces: readonly Piece[], choice: Choice, direction: TextDirection, maxWidth: number): Line {
  const mark = piecesOf(ELLIPSIS, choice);
  for (let length = pieces.length; length > 0; length -= 1) {
    if (NOT_BEFORE_ELLIPSIS.test(pieces[length - 1]?.text ?? '')) continue;
    const line = layOut([...pieces.slice(0, length), ...mark], direction, choice.tracking);
    if (line.width <= maxWidth) return line;
  }
  return layOut(mark, direction, choice.tracking);
}

/** Words that fit; longer words are split. Stops one line after the maximum. */
function breakLines(
  words: readonly Word[],
  space: Word,
  widthOf: (pieces: readonly Piece[]) => number,
  { maxWidth, maxLines }: { maxWidth: number; maxLines: number },
): Piece[][] {
  const lines: Piece[][] = [];
  let current: Piece[] = [];
  let width = 0;
  const close = (): void => {
    if (current.length > 0) lines.push(current);
    current = [];
    width = 0;
  };
  for (const word of words) {
    if (lines.length > maxLines) break;
    if (word.pieces.length === 0) {
      close();
      continue;
    }
    const joined = space.width + word.width;
    if (current.length > 0 && width + joined <= maxWidth) {
      current.push(...space.pieces, ...word.pieces);
      width += joined;
      continue;
    }
    close();
    width = word.width;
    if (width <= maxWidth) {
      current = [...word.pieces];
      continue;
    }
    for (const piece of word.pieces) {
      if (lines.length > maxLines) break;
      width = widthOf([...current, piece]);
      if (width > maxWidth) close();
      current.push(piece);
    }
    width = widthOf(current);
  }
  close();
  return lines;
}

export class Typesetter {
  readonly #fonts;

  constructor(fonts: Fonts) {
    this.#fonts = fonts;
  }

  /** @throws {UndrawableTextError}, as does `wrap` */
  line(text: string, style: TextStyle): Line {
    const written = clean(text.replace(/\s+/g, ' '));
    const choice = this.#choose(written, style);
    return layOut(piecesOf(written, choice), style.direction ?? directionOf(text), choice.tracking);
  }
  /** The first size at which the text fits. Truncated at the last one. */
  wrap(text: string, style: TextStyle, width: number, fits: readonly Fit[]): Paragraph {
    let last: Paragraph | undefined;
    for (last of this.wrapEach(text, style, width, fits)) if (!last.isCut) break;
    if (last === undefined) throw new Error('There is no size to try.');
    return last;
  }
  *wrapEach(text: string, style: TextStyle, width: number, fits: readonly Fit[]): Generator<Paragraph, void, void> {
    const direction = style.direction ?? directionOf(text);
    const choice = this.#choose(clean(text), style);
    const { tracking } = choice;
    const widthOf = (pieces: readonly Piece[]): number => layOut(pieces, direction, tracking).width;
    const measured = (pieces: readonly Piece[]): Word => ({ pieces, width: widthOf(pieces) });
    const paragraphs = text.slice(0, MAX_LENGTH).split(/\n+/);
    // An empty word keeps the line break.
    const words = paragraphs.flatMap((written) => [
      ...written
        .split(/\s+/)
        .map((word) => piecesOf(clean(word), choice))
        .filter((pieces) => pieces.length > 0)
        .map(measured),
      { pieces: [], width: 0 },
    ]);
    const space = measured([{ text: ' ', font: choice.space }]);
    for (const fit of fits) {
      const broken = breakLines(words, space, widthOf, { maxWidth: width / fit.size, maxLines: fit.maxLines });
      if (broken.length === 0) broken.push(piecesOf(ELLIPSIS, choice));
      const isCut = broken.length > fit.maxLines;
      const lines = broken
        .slice(0, fit.maxLines)
        .map((pieces, at) =>
          isCut && at === fit.maxLines - 1
            ? withEllipsis(pieces, choice, direction, width / fit.size)
            : layOut(pieces, direction, tracking),
        );
      yield { ...fit, lines, direction, isCut };
    }
  }

  #choose(text: string, { weight, language, tracking = 0 }: TextStyle): Choice {
    const [fonts, arabic] = [this.#fonts, this.#arabicFor(text, weight)];
    const latin = fonts.latin(weight);
    const own = language === 'ar' ? [arabic, ...latin] : [...latin, arabic];
    const usual = [fonts.digits(weight), ...own, fonts.emoji, ...fonts.others(weight)];
    return {
      usual,
      emojiFirst: [fonts.emoji, ...usual],
      space: (language === 'ar' ? undefined : latin[0]) ?? fonts.arabic(weight),
      tracking,
    };
  }
  /** One font for all Arabic, whose letters join. */
  #arabicFor(text: string, weight: Weight): SizedFont {
    const usual = this.#fonts.arabic(weight);
    const points = [...new Set(text.match(ARABIC))].map((character) => character.codePointAt(0) ?? 0);
    const whole = [usual, ...this.#fonts.others(weight)].find(({ covers }) => points.every(covers));
    return whole ?? usual;
  }
}

/** Rule L2 of the Unicode bidirectional algorithm. */
function inVisualOrder<Run extends { level: number }>(runs: readonly Run[]): Run[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level >= 1; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start;
      while ((ordered[end]?.level ?? -1) >= level) end += 1;
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = Math.max(start, end - 1);
    }
  }
  return ordered;
}
