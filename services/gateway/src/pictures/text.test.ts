import { beforeAll, describe, expect, test } from '@jest/globals';
import { Canvas } from './canvas.js';
import { loadFonts, type Fonts } from './fonts.js';
import { PALETTES } from './shapes.js';
import { directionOf, Typesetter, UndrawableTextError } from './text.js';

let fonts: Fonts;
let typesetter: Typesetter;
beforeAll(async () => {
  fonts = await loadFonts();
  typesetter = new Typesetter(fonts);
});

const ARABIC = { weight: 800, language: 'ar' } as const;
const ENGLISH = { weight: 800, language: 'en' } as const;
const ONE_SIZE = [{ size: 50, lineHeight: 70, maxLines: 3 }];
const glyphCount = (text: string, style: typeof ARABIC | typeof ENGLISH = ENGLISH): number =>
  typesetter.line(text, style).draw(0, 0, 10, '#000').split('<path').length - 1;
/** Of each glyph, in drawing order. */
const positions = (text: string, style: typeof ARABIC | typeof ENGLISH): number[] =>
  [
    ...typesetter
      .line(text, style)
      .draw(0, 0, 100, '#000')
      .matchAll(/translate\(([\d.-]+)/g),
  ].map(([, x]) => Number(x));

const shapesOf = (text: string): string[] =>
  [
    ...typesetter
      .line(text, ARABIC)
      .draw(0, 0, 10, '#000')
      .matchAll(/ d="([^"]+)"/g),
  ].map(([, shape = '']) => shape);

describe('a line', () => {
  test('joins Arabic letters', () => {
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

  test('takes letter spacing between Latin letters, and leaves Arabic ones joined', () => {
    const widthOf = (text: string, tracking: number): number => typesetter.line(text, { ...ENGLISH, tracking }).width;
    expect(widthOf('abcd', -0.02)).toBeCloseTo(widthOf('abcd', 0) - 4 * 0.02, 5);
    expect(widthOf('قال', -0.02)).toBe(widthOf('قال', 0));
  });

  /** A pangram, alphabet or sentence of each script, with its digits. */
  test.each([
    ['Arabic', 'صِف خَلقَ خَودٍ كَمِثلِ الشَمسِ إِذ بَزَغَت، يَحظى الضَجيعُ بِها نَجلاءَ مِعطارِ؟ ٠١٢٣٤٥٦٧٨٩ ٫٬٪ ٱ ـ ﷺ ۚ ۖ'],
    ['Persian', 'پژواک چای گرم، کتابی در دستِ یکی از بچه‌ها؛ ۰۱۲۳۴۵۶۷۸۹ هٔ'],
    ['Urdu', 'ٹھنڈے ڈبے میں بڑے گھوڑے نے کہا ہے ے ں ۂ ۓ ۔ ؓ ؒ'],
    ['letters of the Maghreb', 'ڭ ڨ ڥ ڢ ڤ پ چ ژ گ ݣ'],
    ['Kurdish, Uyghur, Pashto and Sindhi', 'ە ێ ۆ ڕ ڵ ڤ ۇ ۈ ې ى ټ ډ ړ ښ ځ څ ڼ ګ ۍ ڄ ڃ ڊ ڦ ڳ ٿ ٺ ڙ'],
    ['Hebrew', 'דג סקרן שט בים מאוכזב ולפתע מצא חברה שָׁלוֹם ״ ׳ ״ ₪'],
    ['Hindi and Nepali', 'ऋषियों को सताने वाले दुष्ट राक्षसों के राजा का सर्वनाश ०१२३४५६७८९ ॐ ।'],
    ['Bengali', 'আমার সোনার বাংলা, আমি তোমায় ভালোবাসি ০১২৩৪৫৬৭৮৯ ৳'],
    ['Punjabi', 'ਸਤਿ ਸ੍ਰੀ ਅਕਾਲ ੦੧੨੩੪੫੬੭੮੯'],
    ['Gujarati', 'નમસ્તે, કેમ છો? ૦૧૨૩૪૫૬૭૮૯'],
    ['Odia', 'ନମସ୍କାର ୦୧୨୩୪୫୬୭୮୯'],
    ['Tamil', 'வணக்கம், எப்படி இருக்கிறீர்கள்? ௦௧௨'],
    ['Telugu', 'నమస్కారం, మీరు ఎలా ఉన్నారు? ౦౧౨'],
    ['Kannada', 'ನಮಸ್ಕಾರ, ಹೇಗಿದ್ದೀರಿ? ೦೧೨'],
    ['Malayalam', 'നമസ്കാരം, സുഖമാണോ? ൦൧൨'],
    ['Sinhala', 'ආයුබෝවන්, කොහොමද?'],
    ['Thai', 'เป็นมนุษย์สุดประเสริฐเลิศคุณค่า ๐๑๒๓๔๕๖๗๘๙ ฿'],
    ['Lao', 'ສະບາຍດີ ໐໑໒'],
    ['Khmer', 'សួស្តី សុខសប្បាយទេ? ០១២'],
    ['Burmese', 'မင်္ဂလာပါ နေကောင်းလား ၀၁၂'],
    ['Chinese, simplified', '我能吞下玻璃而不伤身体。你好，谢谢！《红楼梦》'],
    ['Chinese, traditional', '我能吞下玻璃而不傷身體。國學臺灣龍龜鬱麼'],
    ['Japanese', 'いろはにほへと ちりぬるを カタカナ 働く峠込畑 ー「」・'],
    ['Korean', '키스의 고유조건은 입술끼리 만나야 하고 뷁 ㅋㅋㅋ'],
    ['Georgian', 'გამარჯობა, როგორ ხარ? ₾'],
    ['Armenian', 'Բարեւ ձեզ, ինչպե՞ս եք ։ ֏'],
    ['Amharic', 'ሰላም፣ እንዴት ነህ? ፩፪፫'],
    ['Dhivehi', 'ސަލާމް ކިހިނެއް'],
    ['Tamazight', 'ⴰⵣⵓⵍ ⵜⴰⵎⴰⵣⵉⵖⵜ'],
    ['Russian, Ukrainian and Kazakh', 'Съешь ещё этих мягких булок; ґ є ї ә ғ қ ң ө ұ ү һ ₴ ₽'],
    ['Greek', 'Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία ᾧ'],
    ['Latin with marks', 'Łódź Žižka Ġużé Ñandú ß ẞ Ğüş Ệ ở Ð þ ə ɛ Ɓ ŋ €£¥₺₹'],
    ['signs', '← ↑ → ↓ ✓ ✗ ★ ☆ ∞ ≠ ≤ ≥ ± × ÷ √ ° © ® ™ § ¶ • ‰ № ½ ² ♪ ♥ ∑ ∫ π'],
    ['emoji', '😂🥹❤️‍🔥👍🏽👩‍👩‍👧🇸🇦🇵🇸🏴󠁧󠁢󠁥󠁮󠁧󠁿1️⃣#️⃣⭐️☀️'],
  ])('draws every letter of %s', async (_name, text) => {
    await fonts.prepare(text);
    const missing = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
      .filter((segment) => segment.trim() !== '')
      .filter((segment) => {
        try {
          return glyphCount(segment) === 0;
        } catch {
          return true;
        }
      });
    expect(missing).toEqual([]);
  });

  test('joins letters that only another font has with adjacent ones', async () => {
    await fonts.prepare('چ');
    const [initial, ...others] = shapesOf('چای').toReversed();
    expect(others.length).toBeGreaterThan(0);
    expect(shapesOf('چ')).not.toContain(initial);
    // In the font of the whole word, not of the page.
    expect(shapesOf('ا چ')).not.toContain(shapesOf('ا')[0]);
  });

  test('draws numbers that differ in a sign differently', async () => {
    await fonts.prepare('٫');
    expect([glyphCount('٣٫٥', ARABIC), glyphCount('٣٥', ARABIC)]).toEqual([3, 2]);
  });

  test.each(['\u{e000}', '\u{13000}', 'a\u{e000}b', '\u{10fffd}'])('refuses what no font has: %j', async (text) => {
    await fonts.prepare(text);
    expect(() => typesetter.line(text, ENGLISH)).toThrow(UndrawableTextError);
    expect(() => typesetter.wrap(text, ENGLISH, 400, ONE_SIZE)).toThrow(UndrawableTextError);
  });

  test('draws emoji in one glyph', () => {
    expect(glyphCount('❤️')).toBe(1);
    expect(glyphCount('👩‍👩‍👧')).toBe(1);
    expect(glyphCount('Łódź Ελλ Иван')).toBeGreaterThanOrEqual(11);
  });

  test('keeps nothing of control characters', () => {
    expect(typesetter.line('a\u202eb\u2066c\u0007', ENGLISH).width).toBeCloseTo(
      typesetter.line('abc', ENGLISH).width,
      5,
    );
  });

  test('draws the marks on a letter, up to a bound', async () => {
    await fonts.prepare('שָּׁ');
    expect(glyphCount('שָּׁ')).toBe(4);
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

  test('a paragraph is an ellipsis if there is nothing to see', () => {
    expect(wrap('\u200b', 400).lines).toHaveLength(1);
  });

  test('a paragraph has the direction of its first letter', () => {
    expect([directionOf('😀 سلام abc'), directionOf('😀 abc سلام'), directionOf('123')]).toEqual(['rtl', 'ltr', 'rtl']);
  });
});

test('the longest username stays within its plate', () => {
  const [area, padding] = [{ x: 100, width: 600 }, 32];
  const canvas = new Canvas(typesetter, 'en', PALETTES.night);
  const username = 'm'.repeat(30);
  const look = { size: 46, padding, height: 96, radius: 28, tail: 8, smallest: 46, keeps: 'top' } as const;
  canvas.plate(area, 0, 'start', { address: `https://najwa.example/m/${username}`, username }, look);
  const drawn = canvas.svg('{{content}}', { width: 1_200, height: 630 });
  const left = Array.from(drawn.matchAll(/translate\(([\d.-]+)/g), ([, x]) => Number(x));
  expect(Math.min(...left)).toBeGreaterThanOrEqual(area.x + padding);
  expect(Math.max(...left)).toBeLessThan(area.x + area.width - padding);
});
