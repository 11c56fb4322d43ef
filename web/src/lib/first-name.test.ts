import { expect, test } from '@jest/globals';
import { firstName } from './first-name.js';

test.each([
  ['نورة العلي', 'نورة'],
  ['عبد الرحمن السالم', 'عبد الرحمن'],
  ['أبو خالد', 'أبو خالد'],
  ['Noura Alali', 'Noura'],
  ['عبد', 'عبد'],
])('calls %s by the name that stands alone', (name, called) => {
  expect(firstName(name)).toBe(called);
});
