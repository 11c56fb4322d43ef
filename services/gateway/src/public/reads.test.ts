import { describe, expect, test } from '@jest/globals';
import { publicReadOf } from './reads.js';

const PROFILE = { operation: 'getPublicUser', service: 'auth' };
const MESSAGES = { operation: 'listPublicMessages', service: 'messages' };

describe('a public read', () => {
  test('a public read of a profile ignores case and query', () => {
    const layla = { ...PROFILE, path: '/api/users/layla', tag: 'profile/unknown' };
    for (const target of [
      '/api/users/layla',
      '/api/users/Layla',
      '/api/users/LAYLA/',
      '/api/users/l%61yla',
      '/api/users/layla?x=1',
    ])
      expect(publicReadOf(target)).toEqual(layla);
  });

  test('a public read of an invalid username is passed on and not remembered', () => {
    expect(publicReadOf('/api/users/%D9%84%D9%8A%D9%84%D9%89')).toEqual({
      ...PROFILE,
      path: '/api/users/%D9%84%D9%8A%D9%84%D9%89',
    });
  });

  test('a public read of messages has one path for every order of its parameters', () => {
    const page = {
      ...MESSAGES,
      path: '/api/messages/public/7?sort=oldest&before=9&limit=2',
      tag: 'messages/7',
    };
    expect(publicReadOf('/api/messages/public/7?limit=2&before=9&sort=oldest')).toEqual(page);
    expect(publicReadOf('/api/messages/public/7')).toEqual({
      ...MESSAGES,
      path: '/api/messages/public/7',
      tag: 'messages/7',
    });
  });

  test.each([
    '/api/messages/public/7?limit=x',
    '/api/messages/public/7?limit=1&limit=2',
    '/api/messages/public/7?other=1',
    '/api/messages/public/x',
    '/api/messages/public/07',
  ])('a public read with a query outside of the contract (%s) is passed on as it is', (target) =>
    expect(publicReadOf(target)).toEqual({ ...MESSAGES, path: target }),
  );

  test.each(['/api/users', '/api/users/by-id/7', '/api/user', '/api/messages/7', '/m/layla'])('is not %s', (target) =>
    expect(publicReadOf(target)).toBeUndefined(),
  );
});
