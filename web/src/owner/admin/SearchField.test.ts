import '../../test/setup.js';
import { expect, test } from '@jest/globals';
import { EVERYTHING, parseSearch } from './SearchField.js';

test.each([
  ['', EVERYTHING],
  ['   ', EVERYTHING],
  [' وجهًا لوجه ', { username: null, text: 'وجهًا لوجه' }],
  ['@noura', { username: 'noura', text: '' }],
  [' @yasser.k  face to face', { username: 'yasser.k', text: 'face to face' }],
  ['mail@example', { username: null, text: 'mail@example' }],
  ['@', { username: null, text: '@' }],
])('parses %j as %j', (written, search) => {
  expect(parseSearch(written)).toEqual(search);
});
