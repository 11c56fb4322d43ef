import { describe, expect, test } from '@jest/globals';
import { nextCursor } from './paging.js';

describe('nextCursor()', () => {
  test('nextCursor() reads the Link header', () => {
    expect(nextCursor('</api/messages?limit=10&before=41>; rel="next"')).toBe('41');
    expect(nextCursor('</a?before=1>; rel="prev", </a?before=2>; rel="next"')).toBe('2');
    expect(nextCursor(null)).toBeNull();
    expect(nextCursor('</a?before=1>; rel="prev"')).toBeNull();
  });
});
