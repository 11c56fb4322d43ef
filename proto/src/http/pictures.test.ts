import { expect, test } from '@jest/globals';
import { languageOf, picturePath } from './pictures.js';

test.each([
  ['نورة', 'ar'],
  ['Noura', 'en'],
  ['Noura نورة', 'ar'],
  ['🌙', 'ar'],
])('the language of %s is %s', (text, language) => {
  expect(languageOf(text)).toBe(language);
});

test('a picture has one address on each ground', () => {
  expect(picturePath('getMessageStory', 7)).toBe('/story/message/7.png');
  expect(picturePath('getMessageStory', 7, 'cream')).toBe('/story/message/7.png');
  expect(picturePath('getProfilePicture', 'noura', 'night')).toBe('/og/noura.png?ground=night');
  expect(picturePath('getPromptStory', 'noura', 'night', 4)).toBe('/story/noura.png?ask=4&ground=night');
});
