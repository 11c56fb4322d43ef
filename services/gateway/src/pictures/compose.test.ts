import { expect, test } from '@jest/globals';
import { HOSTILE_TEXTS } from '@najwa/dev-env';
import { compose, type PictureSubject, type Templates } from './compose.js';
import { loadFonts } from './fonts.js';
import { createTypesetter, UndrawableTextError } from './text.js';

const typesetter = createTypesetter(await loadFonts());

const TEMPLATE = { ar: '<svg>{{content}}</svg>', en: '<svg>{{content}}</svg>' };
const TEMPLATES: Templates = {
  getProfilePicture: TEMPLATE,
  getMessagePicture: TEMPLATE,
  getMessageStory: TEMPLATE,
  getArabicCard: TEMPLATE,
  getEnglishCard: TEMPLATE,
};

/** Shapes with numbers and colours, and nothing between them. */
const DRAWING =
  /^<svg>(?:\s*(?:<\/g>|<(?:path|rect|g)(?: (?:d|x|y|width|height|fill|fill-rule|stroke(?:-width|-linecap|-linejoin)?|transform|opacity|shape-rendering)="[\w#(),. +-]*")* ?\/?>))*\s*<\/svg>$/;

const subjectsOf = (text: string, language: 'ar' | 'en'): PictureSubject[] => {
  const person = { language, username: 'noura', name: text };
  return [
    { ...person, id: 'getProfilePicture', userId: 7, avatar: undefined },
    { ...person, id: 'getMessageStory', ornament: 'ba2945b603ffaf56', asked: text, question: text, answer: text },
  ];
};

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
