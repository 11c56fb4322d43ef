import { describe, expect, test } from '@jest/globals';
import { mirrorIn } from './debian.js';

const BOOKWORM = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\nID=debian\n';

describe("Debian's mirror", () => {
  test('the mirror is that of the release, not of updates or other vendors', () => {
    const targets = [
      'https://packages.example/apt tools main',
      'http://security.example/debian-security bookworm-security main',
      'http://mirror.example/debian bookworm contrib',
      'http://mirror.example/debian bookworm main',
    ].join('\n');
    expect(mirrorIn(targets, BOOKWORM)).toBe('http://mirror.example/debian');
  });

  test('the mirror is found when the sources use a suite name such as stable', () => {
    expect(mirrorIn('http://mirror.example/debian stable main\n', BOOKWORM)).toBe('http://mirror.example/debian');
  });

  test('the mirror is undefined on other systems', () => {
    expect(
      mirrorIn('http://mirror.example/ubuntu noble main\n', 'ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble\n'),
    ).toBeUndefined();
  });
});
