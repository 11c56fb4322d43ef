// Long run: every picture is drawn.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { GROUND_COLOURS } from '@najwa/proto/http/client';
import { HOSTILE_TEXTS } from '@najwa/testing';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { compose, type PictureSubject, type Templates } from './compose.js';
import { loadFonts } from './fonts.js';
import { Typesetter, UndrawableTextError } from './text.js';

const typesetter = new Typesetter(await loadFonts());

const TEMPLATE = { ar: '<svg>{{content}}</svg>', en: '<svg>{{content}}</svg>' };
const TEMPLATES: Templates = { plain: TEMPLATE.ar, story: TEMPLATE, card: TEMPLATE };

/** Shapes with numbers and colours, and nothing between them. */
const DRAWING =
  /^<svg>(?:\s*(?:<\/g>|<(?:path|rect|g)(?: (?:d|x|y|width|height|fill|fill-rule|stroke(?:-width|-linecap|-linejoin)?|transform|opacity|shape-rendering)="[\w#(),. +-]*")* ?\/?>))*\s*<\/svg>$/;

const subjectsOf = (text: string, language: 'ar' | 'en'): PictureSubject[] => {
  const person = { language, username: 'noura', name: text, address: 'https://najwa.example/m/noura' };
  const ground = language === 'ar' ? 'own' : 'night';
  const knots = ['ba2945b603ffaf56', '0123456789abcdef'];
  const message = { ornament: 'ba2945b603ffaf56', knots, asked: text, question: text, answer: text };
  return [
    { ...person, id: 'getProfilePicture', ground, userId: 7, knots },
    { ...person, id: 'getMessagePicture', ground, ...message },
    { ...person, id: 'getMessageStory', ground, ...message },
    { ...person, id: 'getMessageStory', ground, ...message, sound: { seconds: 10, peaks: [0, 100, 40] } },
    { ...person, id: 'getPromptStory', ground, ...message },
  ];
};

// Threat model: sender-17.
test('a hostile text brings no element into a picture', () => {
  const isDrawing = (subject: PictureSubject): boolean => {
    try {
      return DRAWING.test(compose(subject, typesetter, TEMPLATES));
    } catch (error) {
      return error instanceof UndrawableTextError;
    }
  };
  const subjects = HOSTILE_TEXTS.map((text, index) => subjectsOf(text, index % 2 === 0 ? 'ar' : 'en'));
  expect(HOSTILE_TEXTS.filter((_, index) => subjects[index]?.every(isDrawing) !== true)).toEqual([]);
});

/** In drawing order. */
const outlinesOf = (svg: string): string => [...svg.matchAll(/ d="([^"]*)"/g)].map(([, path]) => path).join('|');
const outlinesOfText = (text: string, weight: 500 | 800): string =>
  outlinesOf(typesetter.line(text, { weight, language: 'en', direction: 'ltr' }).draw(0, 0, 1, '#000'));

const MESSAGE = { ornament: 'ba2945b603ffaf56', knots: [], asked: undefined, answer: undefined } as const;
const story = (question: string, more: object = {}): PictureSubject => ({
  ...{ id: 'getMessageStory', language: 'ar', ground: 'cream', username: 'noura', name: 'نورة' },
  ...{ address: 'https://najwa.example/m/noura', ...MESSAGE, question, ...more },
});

test.each([
  ['http://localhost:8080', 'noura'],
  ['https://a-long-name-of-a-site.najwa.example', 'abdulrahman_alshammari'],
])('every picture has the whole address: %s, %s', (site, username) => {
  const shared = {
    language: 'en',
    ground: 'night',
    username,
    name: 'Noura',
    address: `${site}/m/${username}`,
  } as const;
  const subjects: PictureSubject[] = [
    { ...shared, id: 'getProfilePicture', userId: 1, knots: [] },
    { ...shared, ...MESSAGE, id: 'getMessagePicture', question: 'Why?' },
    { ...shared, ...MESSAGE, id: 'getMessageStory', question: 'Why?', answer: 'Because.' },
  ];
  for (const subject of subjects) {
    const outlines = outlinesOf(compose(subject, typesetter, TEMPLATES));
    expect(outlines).toContain(outlinesOfText(`${site.replace(/^https?:\/\//, '')}/m/`, 500));
    expect(outlines).toContain(outlinesOfText(username, 800));
  }
});

test('a story has seven lines whole, and an ellipsis after more', () => {
  const ellipsis = outlinesOf(typesetter.line('…', { weight: 800, language: 'ar' }).draw(0, 0, 1, '#000'));
  const isCut = (lines: number): boolean => {
    const question = Array.from({ length: lines }, () => 'سطر').join('\n');
    return outlinesOf(compose(story(question), typesetter, TEMPLATES)).includes(ellipsis);
  };
  expect([isCut(7), isCut(8)]).toEqual([false, true]);
});

await initWasm(readFile(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));
const templateOf = (name: string): Promise<string> =>
  readFile(new URL(`../../templates/${name}.svg`, import.meta.url), 'utf8');
const [plain, ar, en] = await Promise.all(['plain', 'story-ar', 'story-en'].map(templateOf));
const REAL_TEMPLATES: Templates = { ...TEMPLATES, plain: plain ?? '', story: { ar: ar ?? '', en: en ?? '' } };

/** True if a part of a picture has that colour alone. */
function isOnly(
  { pixels, width }: { pixels: Uint8Array; width: number },
  part: { x: number; y: number; width: number; height: number },
  colour: string,
): boolean {
  const row = Buffer.from(`${colour.slice(1)}FF`.repeat(part.width), 'hex');
  return Array.from({ length: part.height }, (_, line) => ((part.y + line) * width + part.x) * 4).every((at) =>
    row.equals(pixels.subarray(at, at + row.length)),
  );
}

test('the story of a sound has its whole ornament under the address where that leaves room, else none', () => {
  const hasOrnament = Array.from({ length: 6 }, (_, lines) => {
    const answer = lines === 0 ? undefined : Array.from({ length: lines }, () => 'سطر').join('\n');
    const drawing = story('', { answer, sound: { seconds: 10, peaks: null } });
    const picture = new Resvg(compose(drawing, typesetter, REAL_TEMPLATES)).render();
    const isFree = (y: number, height: number) =>
      isOnly(picture, { x: 0, y, width: 1080, height }, GROUND_COLOURS.cream.ground);
    const [above, below] = [isFree(1_230, 18), isFree(1_852, 68)];
    return isFree(1_700, 150) ? 'none' : above && below ? 'whole' : 'cropped';
  });
  expect(hasOrnament).toEqual(['whole', 'whole', 'whole', 'whole', 'none', 'none']);
});

const LONG = 'كتابٌ_بلا_مسافات_ولا_نهاية '.repeat(30) + 'and-a-word-without-an-end'.repeat(12);
const LONG_PERSON = {
  username: 'm'.repeat(30),
  name: 'عبد الرحمن بن عبد العزيز الشمّري الطائي '.repeat(3),
  address: `https://a-long-name-of-a-site.najwa.example/m/${'m'.repeat(30)}`,
};

test.each([
  ['ar', 'cream'],
  ['en', 'night'],
] as const)('no text leaves its place, however long it is (%s, %s)', (language, ground) => {
  const shared = { language, ground, ...LONG_PERSON } as const;
  const texts = { ...MESSAGE, asked: LONG, question: LONG, answer: LONG };
  const draw = (subject: PictureSubject) => new Resvg(compose(subject, typesetter, REAL_TEMPLATES)).render();
  const { ground: colour } = GROUND_COLOURS[ground];
  for (const subject of [
    { ...shared, id: 'getProfilePicture', userId: 0, knots: [] },
    { ...shared, ...texts, id: 'getMessagePicture' },
  ] as const) {
    const wide = draw(subject);
    const isFree = [0, 1136].map((x) => isOnly(wide, { x, y: 0, width: 64, height: 630 }, colour));
    expect([subject.id, ...isFree]).toEqual([subject.id, true, true]);
  }
  const tall = draw({ ...shared, ...texts, id: 'getMessageStory' });
  const stickerPlace = { x: 80, y: 1330, width: 920, height: 112 };
  const sides = [0, 1008].map((x) => ({ x, y: 0, width: 72, height: 1600 }));
  expect([stickerPlace, ...sides].map((part) => isOnly(tall, part, colour))).toEqual([true, true, true]);
});
