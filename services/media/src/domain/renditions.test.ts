import { describe, expect, test } from '@jest/globals';
import type { PictureRecord } from '../db/pictures.js';
import { chooseForm, needsJpeg } from './renditions.js';

describe('who gets a JPEG', () => {
  test.each([
    ['who says nothing', undefined, false],
    ['who says nothing, at length', '', false],
    ['who takes anything', '*/*', false],
    ['Chrome', 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', false],
    ['Firefox', 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5', false],
    ['Safari since 14', 'image/webp,image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5', false],
    ['Safari before 14, which has no WebP', 'image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5', true],
    ['who opens it in a tab', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
    ['who asks for JPEG', 'image/jpeg', true],
    ['who asks for it in capitals', 'IMAGE/JPEG', true],
    ['who takes any image', 'image/*', true],
    ['who refuses WebP', 'image/webp;q=0, */*', true],
    ['who likes JPEG more', 'image/webp;q=0.4, image/jpeg;q=0.9', true],
    ['who likes WebP more', 'image/webp;q=0.9, image/jpeg;q=0.4', false],
    ['who refuses JPEG', 'image/jpeg;q=0, */*', false],
    ['who says nonsense', ';;;,=,image', false],
    ['who weighs WebP with nonsense', 'image/webp;q=much', true],
  ])('%s (%s): %s', (_who, accept, answer) => {
    expect(needsJpeg(accept)).toBe(answer);
  });
});

describe('what is given', () => {
  const whole = { name: 'n', size: 9, contentType: 'image/webp', etag: '"whole"' };
  const kept = (...names: ('jpeg' | 'small')[]) =>
    ({
      ...whole,
      renditions: names.map((rendition) => ({ rendition, size: 1, contentType: 'image/any', etag: `"${rendition}"` })),
    }) as PictureRecord;

  test.each([
    ['as it is kept', kept('jpeg', 'small'), false, false, 'n'],
    ['small', kept('jpeg', 'small'), true, false, 'n.small'],
    ['as JPEG', kept('jpeg', 'small'), false, true, 'n.jpeg'],
    ['as JPEG also where a small one would do', kept('jpeg', 'small'), true, true, 'n.jpeg'],
    ['whole where it is small by itself', kept('jpeg'), true, false, 'n'],
    ['as it is kept where it is from before there were other forms', whole as PictureRecord, true, true, 'n'],
  ])('is the picture %s', (_how, picture, small, jpeg, key) => {
    expect(chooseForm(picture, { small, jpeg }).key).toBe(key);
  });
});
