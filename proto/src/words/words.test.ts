import { describe, expect, test } from '@jest/globals';
import sentences from '../../tests/data/sentences.json' with { type: 'json' };
import {
  createWordMatcher,
  foldWords,
  indexedWords,
  listMatcher,
  markFound,
  prepareText,
  searchedWords,
  WORD_LISTS,
} from './index.js';

const find = (words: string[], text: string): string | undefined => createWordMatcher(words).find(prepareText(text));

describe('a filtered word is found', () => {
  test.each([
    ['with harakat and tatweel', 'كلب', 'كَـلْـبٌ'],
    ['in another form of alef and hamza', 'إساءة', 'اساءه'],
    ['with ya for alef maqsura', 'أذى', 'اذي'],
    ['with ta marbuta as ha', 'تافهة', 'تافهه'],
    ['with a Persian kaf', 'كلب', 'ڪلب'],
    ['with repeated letters', 'غبي', 'غبييييي'],
    ['with a doubled letter, in a long word', 'stupid', 'stuupid'],
    ['with zero-width characters', 'stupid', 'stu\u200Bp\u200Did'],
    ['with Cyrillic letters', 'stupid', 'ѕtuрid'],
    ['in full width', 'stupid', 'ｓｔｕｐｉｄ'],
    ['with accents', 'stupid', 'stúpìd'],
    ['in capitals', 'stupid', 'STUPID'],
    ['with digits for letters', 'asshole', 'a55h0le'],
    ['with a digit that stands for either of two letters', 'idiot', '1d1ot'],
    ['with signs for letters', 'bastard', 'b@$tard'],
    ['letter by letter', 'stupid', 's t u p i d'],
    ['letter by letter with dots', 'stupid', 's.t.u.p.i.d'],
    ['letter by letter in Arabic', 'غبي', 'أنت غ ب ي جدا'],
    ['cut by a hyphen', 'stupid', 'stu-pid'],
    ['after a conjunction', 'غبي', 'وغبي'],
    ['after an article', 'غبي', 'الغبي'],
    ['after a preposition and an article', 'غبي', 'بالغبي'],
    ['between punctuation', 'غبي', '«غبي».'],
    ['as a phrase over several spaces', 'كم عمرك', 'كَمْ   عُمرك؟'],
    ['as a phrase without its space', 'كم عمرك', 'كمعمرك'],
    ['with Arabic digits', 'رقم 12', 'رقم ١٢'],
  ])('%s', (_how, word, text) => {
    expect(find([word], text)).toBe(word);
  });
});

describe('a filtered word is not found', () => {
  test.each([
    ['within another word', 'ass', 'class assistant'],
    ['within another Arabic word', 'غبي', 'تغبيش'],
    ['with fewer letters', 'ass', 'as'],
    ['with one letter more, in a short word', 'god', 'good'],
    ['in a number', 'ass', '455'],
    ['when only a part of the phrase is there', 'كم عمرك', 'كم الساعة'],
    ['after a letter that is a part of the word', 'سم', 'بسم'],
  ])('%s', (_how, word, text) => {
    expect(find([word], text)).toBeUndefined();
  });
});

/** A generator with a fixed seed, so that a failure can be repeated. */
function createRandom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const isArabic = (text: string): boolean => /[\u0621-\u064a]/.test(text);

const LOOK_ALIKE: Record<string, string> = {
  a: 'а',
  e: 'е',
  o: 'о',
  c: 'с',
  p: 'р',
  k: 'к',
  i: 'і',
  s: 'ѕ',
  ك: 'ک',
  ي: 'ی',
};
const DIGITS: Record<string, string> = { a: '4', e: '3', o: '0', s: '5', i: '1' };

/** Disguises that people use. */
const DISGUISES: Record<string, (word: string) => string> = {
  plain: (word) => word,
  capitals: (word) => word.toUpperCase(),
  stretched: (word) => word.replace(/(\p{L})(?=\P{L}|$)/u, '$1$1$1$1'),
  spaced: (word) => word.replace(/\p{L}(?=\p{L})/gu, '$& '),
  dotted: (word) => word.replace(/\p{L}(?=\p{L})/gu, '$&.'),
  'zero-width': (word) => word.replace(/\p{L}(?=\p{L})/gu, '$&\u200c'),
  marked: (word) => word.replace(/\p{L}/gu, isArabic(word) ? '$&\u064e' : '$&\u0301'),
  tatweel: (word) => word.replace(/[بتثجحخسشصضطظعغفقكلمنهي](?=[\u0621-\u064a])/g, '$&ـ'),
  'look-alike': (word) => word.replace(/./gu, (letter) => LOOK_ALIKE[letter] ?? letter),
  digits: (word) =>
    /[b-df-hj-np-rt-z]/.test(word) ? word.replace(/[aeosi]/g, (letter) => DIGITS[letter] ?? letter) : word,
  prefixed: (word) => (isArabic(word) && !word.includes(' ') ? `و${word}` : word),
};

// Threat model: sender-3.
test('a search goes on to the end of a text after a match', () => {
  const looksAt = (words: string[], text: string): number => {
    const { tokens, spelled } = prepareText(text);
    const seen = new Set<unknown>();
    const watched = <Part extends object>(part: Part): Part =>
      new Proxy(part, {
        get(target, name) {
          seen.add(target);
          return Reflect.get(target, name) as unknown;
        },
      });
    createWordMatcher(words).find({
      tokens: tokens.map((readings) => readings.map(watched)),
      spelled: spelled.map(watched),
    });
    return seen.size;
  };
  const text = 'stupid words first, then others, s t u p i d and n e v e r m i n d';
  const all = looksAt([], text);
  expect(all).toBeGreaterThan(10);
  for (const words of [['stupid'], ['stupid words'], ['others', 'stupid'], ['nevermind'], ['missing']])
    expect(looksAt(words, text)).toBe(all);
});

// Threat model: sender-3.
test('a text is bounded once it is folded, and no honest one is long enough for that', () => {
  const { tokens } = prepareText('a bc '.repeat(50_000) + '\ufdfb '.repeat(50_000));
  expect(tokens.length).toBeLessThan(4_000);
  expect(find(['stupid'], `${'\ufdfa'.repeat(690)} stupid`)).toBe('stupid');
});

test('letters one by one are looked at as far as ordinary ones reach', () => {
  const { spelled } = prepareText('\u249c\u249d'.repeat(350));
  expect(spelled.map(({ runs }) => runs.length)).toEqual([350]);
  expect(find(['stupid'], `${'a b '.repeat(170)}s t u p i d`)).toBe('stupid');
});

test('the ready lists find 1,000 hostile sentences and leave 1,000 innocent ones', () => {
  const random = createRandom(20_261_122);
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const words = [...WORD_LISTS.insults, ...WORD_LISTS.scams];
  const names = Object.keys(DISGUISES);
  const isHit = (text: string): boolean => {
    const prepared = prepareText(text);
    return [listMatcher('insults'), listMatcher('scams')].some((matcher) => matcher.find(prepared) !== undefined);
  };
  const missed: string[] = [];
  for (let index = 0; index < 1_000; index += 1) {
    const word = pick(words);
    const disguise = names[index % names.length] ?? 'plain';
    const text = pick(sentences.hostile[isArabic(word) ? 'ar' : 'en']).replace(
      '{x}',
      DISGUISES[disguise]?.(word) ?? word,
    );
    if (!isHit(text)) missed.push(`${disguise}: ${text}`);
  }
  // Two sentences in a row, in the combinations of a walk through the list.
  const innocent = Array.from({ length: 1_000 }, (_, index) => {
    const { length } = sentences.innocent;
    const second = index < length ? '' : ` ${sentences.innocent[(index * 7 + Math.floor(index / length)) % length]}`;
    return `${sentences.innocent[index % length]}${second}`;
  });
  const wrong = innocent.filter(isHit);
  // Digits alone are numbers, so "455" is not read as letters.
  expect(missed.filter((sentence) => !/ \d+( |\.|,|:|$)/.test(sentence))).toEqual([]);
  expect(missed.length).toBeLessThan(20);
  expect(wrong).toEqual([]);
});

describe('folding', () => {
  test.each([
    ['إسم', 'اسم'],
    ['أُحِبُّكَ يا أمّي', 'احبك يا امي'],
    ['رسالة', 'رساله'],
    ['على', 'علي'],
    ['مُجْهُولٌ', 'مجهول'],
    ['صـــورة', 'صوره'],
    ['کیف', 'كيف'],
    ['ٱلسلام', 'السلام'],
    ['چاي پيتزا ڤيلا گمر', 'جاي بيتزا فيلا كمر'],
    ['٧٠٠', '700'],
    ['۷۰۰', '700'],
    ['𝟕००', '700'],
    ['Café NOIR', 'cafe noir'],
  ])('%s is folded to %s', (written, folded) => {
    expect(foldWords(written)).toBe(folded);
  });

  test('folding is idempotent', () => {
    for (const text of ['أُحِبُّكَ', 'Straße ٣', 'مدرســة']) expect(foldWords(foldWords(text))).toBe(foldWords(text));
  });
});

describe('a search', () => {
  const finds = (query: string, text: string): boolean =>
    searchedWords(query).every((start) => indexedWords(text).some((word) => word.startsWith(start)));

  test.each([
    ['in any order', 'البحر صورة', 'صورةٌ على البحر'],
    ['without the article', 'بحر', 'على شاطئ البحرِ'],
    ['without what stands before the article', 'بحر', 'بالبحر'],
    ['by its beginning', 'رسا', 'هذه رسائلي'],
    ['after a conjunction', 'مزرعة', 'بيت ومزرعة'],
    ['after a short conjunction', 'بحر', 'وبحر'],
    ['after a preposition', 'مزرعة', 'فبمزرعة'],
    ['as an emoji', '😀', 'سلام😀🎉'],
    ['as an emoji in another tone and form', '👍 ❤️', '👍🏽 ❤'],
    ['as a flag', '🇸🇦', 'من 🇸🇦🇪🇬'],
    ['in another form of alef', 'احمد', 'أحمد'],
    ['in capitals', 'SEA', 'by the sea'],
    ['with a hamza on another letter', 'مسئول', 'المسؤول عنه'],
    ['with a hamza on another letter, the other way round', 'شؤون', 'في شئونه'],
    ['that is written as two', 'عبد الرحمن', 'إلى عبدالرحمن'],
    ['that is written as one', 'عبدالرحمن', 'إلى عبد الرحمن'],
    ['by the second part of a name', 'رحمن', 'لعبدالرحمن'],
    ['without its apostrophe', 'dont', 'I don’t know'],
    ['with an apostrophe', "don't", 'I dont know'],
    ['after an apostrophe', 'neill', "O'Neill"],
    ['longer than what is indexed', 'ع'.repeat(90), 'ع'.repeat(95)],
  ])('finds a word %s', (_how, query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  test.each([
    ['when one of its words is missing', 'photo lake', 'a photo of the sea'],
    ['within another word', 'hoto', 'a photo'],
    ['after a letter that is a part of the word', 'ريم', 'كريم'],
    ['by another emoji', '🎉', 'سلام😀'],
    ['by the flags of which one ends and one begins with it', '🇦🇪', '🇸🇦🇪🇬'],
  ])('finds nothing %s', (_how, query, text) => {
    expect(finds(query, text)).toBe(false);
  });

  test('asks for letters, digits and emojis only, each once', () => {
    expect(searchedWords('sea, SEA! seaside .* ^$ ص')).toEqual(['seaside', 'ص']);
    expect(searchedWords('.*')).toEqual([]);
  });

  test('marks what it found, as it is written', () => {
    const parts = markFound('صُورةٌ على البحر، وبحر', searchedWords('بحر صور'));
    expect(parts).toEqual([
      { text: 'صُورةٌ', isFound: true },
      { text: ' على ', isFound: false },
      { text: 'البحر', isFound: true },
      { text: '، ', isFound: false },
      { text: 'وبحر', isFound: true },
    ]);
    expect(markFound("I don't", searchedWords('dont')).at(-1)).toEqual({ text: "don't", isFound: true });
    expect(markFound('نعم 👍🏽👨‍👩‍👧!', searchedWords('👩'))).toEqual([
      { text: 'نعم 👍🏽', isFound: false },
      { text: '👨‍👩‍👧', isFound: true },
      { text: '!', isFound: false },
    ]);
  });
});
