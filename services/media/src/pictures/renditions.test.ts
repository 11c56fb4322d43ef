import { describe, expect, test } from '@jest/globals';
import type { PictureRecord } from './picture-store.js';
import { chooseForm, needsJpeg } from './renditions.js';

describe('needsJpeg', () => {
  test.each([
    ['no header', undefined, false],
    ['an empty header', '', false],
    ['any type', '*/*', false],
    ['Chrome', 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', false],
    ['Firefox', 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5', false],
    ['Safari since 14', 'image/webp,image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5', false],
    ['Safari before 14, without WebP', 'image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5', true],
    ['a browser tab', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
    ['JPEG only', 'image/jpeg', true],
    ['JPEG in capitals', 'IMAGE/JPEG', true],
    ['any image', 'image/*', true],
    ['WebP refused', 'image/webp;q=0, */*', true],
    ['JPEG preferred', 'image/webp;q=0.4, image/jpeg;q=0.9', true],
    ['WebP preferred', 'image/webp;q=0.9, image/jpeg;q=0.4', false],
    ['JPEG refused', 'image/jpeg;q=0, */*', false],
    ['a malformed header', ';;;,=,image', false],
    ['a malformed quality for WebP', 'image/webp;q=much', true],
  ])('needsJpeg for %s (%s): %s', (_name, accept, answer) => {
    expect(needsJpeg(accept)).toBe(answer);
  });
});

describe('chooseForm', () => {
  const whole = { name: 'n', size: 9, contentType: 'image/webp', etag: '"whole"' };
  const kept = (...names: ('jpeg' | 'small')[]) =>
    ({
      ...whole,
      renditions: names.map((rendition) => ({ rendition, size: 1, contentType: 'image/any', etag: `"${rendition}"` })),
    }) as PictureRecord;

  test.each([
    ['in its stored form', kept('jpeg', 'small'), false, false, 'n'],
    ['small', kept('jpeg', 'small'), true, false, 'n.small'],
    ['as JPEG', kept('jpeg', 'small'), false, true, 'n.jpeg'],
    ['as JPEG even if the small form is requested', kept('jpeg', 'small'), true, true, 'n.jpeg'],
    ['whole if it has no small form', kept('jpeg'), true, false, 'n'],
  ])('chooseForm returns the picture %s', (_name, picture, small, jpeg, key) => {
    expect(chooseForm(picture, { small, jpeg }).key).toBe(key);
  });
});
