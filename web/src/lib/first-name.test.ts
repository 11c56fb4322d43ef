import { expect, test } from '@jest/globals';
import { firstName } from './first-name.js';

test.each([
  ['نورة العلي', 'نورة'],
  ['عبد الرحمن السالم', 'عبد الرحمن'],
  ['أبو خالد', 'أبو خالد'],
  ['Noura Alali', 'Noura'],
  ['عبد', 'عبد'],
])('shortens %s to the name used alone', (name, called) => {
  expect(firstName(name)).toBe(called);
});
