/** The expected result: accepted, or the code of the fault. */
export type Verdict = 'accepted' | 'required' | 'too_long' | 'forbidden_characters';

export interface TextCase {
  name: string;
  text: string;
  /** Characters as a person counts them, after trimming. */
  characters: number;
  verdict: Verdict;
}

const accepted = (name: string, text: string, characters: number): TextCase => ({
  name,
  text,
  characters,
  verdict: 'accepted',
});
const empty = (name: string, text: string): TextCase => ({ name, text, characters: 0, verdict: 'required' });
const forbidden = (name: string, text: string, characters: number): TextCase => ({
  name,
  text,
  characters,
  verdict: 'forbidden_characters',
});

const tooLong = (name: string, text: string, characters: number): TextCase => ({
  name,
  text,
  characters,
  verdict: 'too_long',
});

/** One at the limit and one over it. */
const atTheLimit = (name: string, character: string): TextCase[] => [
  { name: `700 times ${name}`, text: character.repeat(700), characters: 700, verdict: 'accepted' },
  { name: `701 times ${name}`, text: character.repeat(701), characters: 701, verdict: 'too_long' },
];

const FAMILY = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}';

/** Texts that are easily counted wrongly. */
export const TEXTS: readonly TextCase[] = [
  // Invisible text
  empty('nothing', ''),
  empty('a space', ' '),
  empty('line breaks and tabs', '\n\t\r\n'),
  empty('a no-break and an ideographic space', '\u00a0\u3000'),
  empty('a byte order mark', '\ufeff'),
  empty('thin and hair spaces', '\u2009\u200a'),
  empty('a line and a paragraph separator', '\u2028\u2029'),
  empty('a zero-width space alone', '\u200b'),
  empty('marks of direction among spaces', '\u200f \u200e\n\u202e'),
  empty('a word joiner and a soft hyphen', '\u2060\u00ad'),
  empty('Hangul fillers', '\u3164\u115f\uffa0'),
  empty('an empty braille pattern', '\u2800'),

  // Latin
  accepted('a letter', 'a', 1),
  accepted('a word', 'hello', 5),
  accepted('a text among spaces', '  hi \n', 2),
  accepted('spaces inside', 'a   b', 5),
  accepted('a composed letter', '\u00e9', 1),
  accepted('a letter and its accent', 'e\u0301', 1),
  accepted('a letter and three marks', 'a\u0301\u0323\u0308', 1),
  accepted('a mark without a letter', '\u0301', 1),
  accepted('a letter under as many marks as it may have', `a${'\u0323'.repeat(15)}`, 1),
  tooLong('a stack of marks', `a${'\u0300'.repeat(40)}`, 1),
  accepted('the angstrom sign', '\u212b', 1),
  accepted('a ligature', '\ufb01n', 2),
  accepted('sharp s', 'stra\u00dfe', 6),
  accepted('a soft hyphen', 'so\u00adft', 5),

  // Arabic
  accepted('an Arabic word', 'سلام', 4),
  accepted('a word with harakat', 'سَلَامٌ', 4),
  accepted('harakat upon shadda', 'مُحَمَّدٌ', 4),
  accepted('a dagger alef', 'هٰذا', 3),
  accepted('alef with madda, composed', '\u0622', 1),
  accepted('alef and madda, apart', '\u0627\u0653', 1),
  accepted('lam and alef, which are drawn as one', 'لا', 2),
  accepted('the lam-alef ligature', '\ufefb', 1),
  accepted('tatweel', 'ســلام', 6),
  accepted('the basmala in one character', '\ufdfd', 1),
  accepted('a verse with its signs', 'بِسْمِ ٱللَّهِ', 8),
  accepted('Arabic digits and marks', '١٢٣؟،؛', 6),
  accepted('a Persian word with a non-joiner', 'می\u200cخواهم', 7),
  accepted('an Arabic number sign before its digits', '\u0600\u0661\u0662', 2),

  // Emoji
  accepted('an emoji', '😀', 1),
  accepted('a heart with its variation', '\u2764\ufe0f', 1),
  accepted('a heart as text', '\u2764\ufe0e', 1),
  accepted('a skin tone', '👍🏽', 1),
  accepted('a skin tone alone', '\u{1f3fd}', 1),
  accepted('a family', FAMILY, 1),
  accepted('two families', FAMILY.repeat(2), 2),
  accepted('a kiss with two skin tones', '👩🏽‍❤️‍💋‍👨🏿', 1),
  accepted('an artist', '👩🏽‍🎨', 1),
  accepted('a rainbow flag', '🏳️‍🌈', 1),
  accepted('a flag', '🇸🇦', 1),
  accepted('two flags', '🇸🇦🇪🇬', 2),
  accepted('one half of a flag', '\u{1f1f8}', 1),
  accepted('a flag and a half', '🇸🇦\u{1f1ea}', 2),
  accepted('the flag of Scotland', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', 1),
  accepted('a keycap', '1\ufe0f\u20e3', 1),
  accepted('a row of keycaps', '1\ufe0f\u20e32\ufe0f\u20e3#\ufe0f\u20e3', 3),
  accepted('a letter and an emoji', 'a😀', 2),
  accepted('a joiner between letters', 'a\u200db', 2),

  // Other scripts
  accepted('a Hangul syllable', '한', 1),
  accepted('a syllable of its letters', '\u1112\u1161\u11ab', 1),
  accepted('two such syllables', '\u1112\u1161\u11ab\u1100\u1173\u11af', 2),
  accepted('Devanagari with a vowel sign', 'नी', 1),
  accepted('Tamil', 'நி', 1),
  accepted('Thai with marks', 'ก้ำ', 1),
  accepted('Hebrew with points', 'שָׁלוֹם', 4),
  accepted('Chinese', '你好', 2),
  accepted('a character beyond the first plane', '𠮷', 1),
  accepted('a variation of an ideograph', '葛\u{e0100}', 1),
  accepted('kana with a voiced mark', 'か\u3099', 1),

  // Lines and invisible characters
  accepted('two lines', 'a\nb', 3),
  accepted('two lines with two characters between them', 'a\r\nb', 3),
  accepted('an empty line', 'a\r\n\r\nb', 4),
  accepted('a tab', 'a\tb', 3),
  accepted('a line separator', 'a\u2028b', 3),
  accepted('a vertical tab', 'a\vb', 3),
  accepted('a carriage return alone', 'a\rb', 3),
  accepted('an override of the direction', 'a\u202eb\u202c', 4),
  accepted('isolates', '\u2067ا\u2069', 3),
  accepted('marks of both directions', '\u200fا\u200ea', 4),
  accepted('a zero-width space', 'a\u200bb', 3),
  accepted('a word joiner', 'a\u2060b', 3),

  // Forbidden characters
  forbidden('a null character', 'a\u0000b', 3),
  forbidden('a bell', 'a\u0007', 2),
  forbidden('an escape sequence', 'a\u001b[31m', 6),
  forbidden('a delete character', 'a\u007fb', 3),
  forbidden('a C1 control', 'a\u009bb', 3),
  forbidden('a non-character', 'a\uffffb', 3),
  forbidden('half of a character beyond the first plane', 'a\ud800b', 3),
  forbidden('a control character in a text that is too long as well', `${'ن'.repeat(701)}\u0007`, 702),

  // At the limit
  ...atTheLimit('an Arabic letter', 'ن'),
  ...atTheLimit('a letter with a haraka', 'نَ'),
  ...atTheLimit('a letter and its accent', 'e\u0301'),
  ...atTheLimit('an emoji', '😀'),
  ...atTheLimit('a flag', '🇸🇦'),
  ...atTheLimit('a family', FAMILY),
  ...atTheLimit('a keycap', '1\ufe0f\u20e3'),
  ...atTheLimit('a syllable of its letters', '\u1112\u1161\u11ab'),
  { name: '700 letters among spaces', text: ` ${'ن'.repeat(700)}\n`, characters: 700, verdict: 'accepted' },

  // At the limit in code units, 16 per character
  tooLong('a letter under thousands of marks', `a${'\u0323'.repeat(11_199)}`, 1),
  tooLong('a letter under one mark more', `a${'\u0323'.repeat(11_200)}`, 1),
  accepted('700 letters, each under as many marks as they may have', `x${'\u0323'.repeat(15)}`.repeat(700), 700),
  tooLong('700 letters, one of them under one mark more', `${`x${'\u0323'.repeat(15)}`.repeat(700)}\u0323`, 700),
  tooLong('letters that composing would make few enough', `a${'\u0301'.repeat(20)}`.repeat(600), 600),
  tooLong('a control character in a text that is too long unread', `\u0007${'\u0301'.repeat(11_200)}`, 2),
  {
    name: 'one letter among more spaces than letters may be',
    text: `${' '.repeat(12_000)}ن`,
    characters: 1,
    verdict: 'accepted',
  },
];
