import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadFonts } from './fonts.js';
import { createTypesetter, directionOf, type Typesetter } from './text.js';

let typesetter: Typesetter;
beforeAll(async () => {
  typesetter = createTypesetter(await loadFonts());
});

const ARABIC = { weight: 800, language: 'ar' } as const;
const ENGLISH = { weight: 800, language: 'en' } as const;
const ONE_SIZE = [{ size: 50, lineHeight: 70, maxLines: 3 }];
const glyphCount = (text: string, style: typeof ARABIC | typeof ENGLISH = ENGLISH): number =>
  typesetter.line(text, style).draw(0, 0, 10, '#000').split('<path').length - 1;
/** Start of each glyph, in the order in which they are drawn. */
const positions = (text: string, style: typeof ARABIC | typeof ENGLISH): number[] =>
  [
    ...typesetter
      .line(text, style)
      .draw(0, 0, 100, '#000')
      .matchAll(/translate\(([\d.-]+)/g),
  ].map(([, x]) => Number(x));

describe('a line', () => {
  test('joins Arabic letters', () => {
    const shapesOf = (text: string): string[] =>
      [
        ...typesetter
          .line(text, ARABIC)
          .draw(0, 0, 10, '#000')
          .matchAll(/ d="([^"]+)"/g),
      ].map(([, shape = '']) => shape);
    expect(shapesOf('حح')).not.toContain(shapesOf('ح')[0]);
    expect(shapesOf('ح ح')).toEqual([...shapesOf('ح'), ...shapesOf('ح')]);
  });

  test('puts the full stop of an Arabic sentence on the left, and of an English one on the right', () => {
    const dot = typesetter.line('.', ARABIC).width;
    const arabic = typesetter.line('من أنت.', { ...ARABIC, direction: 'rtl' });
    const turned = typesetter.line('من أنت.', { ...ARABIC, direction: 'ltr' });
    const firstOf = (line: typeof arabic): string => /d="([^"]+)"/.exec(line.draw(0, 0, 10, '#000'))?.[1] ?? '';
    const dotPath = firstOf(typesetter.line('.', ARABIC));
    expect(firstOf(arabic)).toBe(dotPath);
    expect(firstOf(turned)).not.toBe(dotPath);
    expect(arabic.width).toBeGreaterThan(dot);
  });

  test('keeps Latin words and numbers from left to right within Arabic', () => {
    expect(positions('قال abc 123', ARABIC)).toEqual([...positions('قال abc 123', ARABIC)].sort((a, b) => a - b));
    const [number, word] = [typesetter.line('123', ARABIC).width, typesetter.line('قال', ARABIC).width];
    expect(typesetter.line('قال 123', ARABIC).width).toBeCloseTo(number + word + typesetter.line(' ', ARABIC).width, 1);
  });

  test('draws emoji in one glyph, and leaves out letters that no font has', () => {
    expect(glyphCount('❤️')).toBe(1);
    expect(glyphCount('👩‍👩‍👧')).toBe(1);
    expect(glyphCount('漢字 a')).toBe(1);
    expect(glyphCount('Łódź Ελλ Иван')).toBeGreaterThanOrEqual(11);
  });

  test('keeps nothing of control characters', () => {
    expect(typesetter.line('a\u202eb\u2066c\u0007', ENGLISH).width).toBeCloseTo(
      typesetter.line('abc', ENGLISH).width,
      5,
    );
  });

  test('bounds the marks on one letter', () => {
    expect(glyphCount(`e${'\u0301'.repeat(100)}`)).toBeLessThanOrEqual(5);
  });
});

describe('a paragraph', () => {
  const text = 'one two three four five six seven eight nine ten';
  const wrap = (written: string, width: number, fits = ONE_SIZE) => typesetter.wrap(written, ENGLISH, width, fits);

  test('breaks between words, within its width', () => {
    const { lines, isCut } = wrap('one two three four five six', 400);
    expect(lines.length).toBeGreaterThan(1);
    for (const { width } of lines) expect(width * 50).toBeLessThanOrEqual(400);
    expect(isCut).toBe(false);
  });

  test('becomes smaller before it is cut', () => {
    const fits = [
      { size: 50, lineHeight: 70, maxLines: 1 },
      { size: 25, lineHeight: 35, maxLines: 2 },
    ];
    expect(wrap('one', 400, fits).size).toBe(50);
    expect(wrap(text, 400, fits)).toMatchObject({ size: 25, isCut: false });
    const cut = wrap(`${text} ${text}`, 400, fits);
    expect([cut.size, cut.lines.length, cut.isCut]).toEqual([25, 2, true]);
    for (const { width } of cut.lines) expect(width * 25).toBeLessThanOrEqual(400);
  });

  test('breaks a word that is longer than a line', () => {
    const { lines } = wrap('x'.repeat(40), 300);
    expect(lines).toHaveLength(3);
    for (const { width } of lines) expect(width * 50).toBeLessThanOrEqual(300);
  });

  test('keeps the lines of its writer, but no empty ones', () => {
    expect(wrap('one\n\n\ntwo', 400).lines).toHaveLength(2);
  });

  test('is an ellipsis if no font has its letters', () => {
    expect(wrap('漢字', 400).lines).toHaveLength(1);
  });

  test('has the direction of its first letter', () => {
    expect([directionOf('😀 سلام abc'), directionOf('😀 abc سلام'), directionOf('123')]).toEqual(['rtl', 'ltr', 'rtl']);
  });
});
