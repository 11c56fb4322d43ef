import { describe, expect, test } from '@jest/globals';
import { createFormats } from './format.js';
import type { Language } from './languages.js';
import { allTexts } from '../test/texts.js';
import { lastSeen, messageTime, relativeTime } from './relative-time.js';
import { createTranslate } from './translate.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const now = Date.parse('2026-11-20T12:00:00.000Z');

function clock(language: Language) {
  return { t: createTranslate(language, allTexts[language]), formats: createFormats(language), now };
}

const before = (age: number) => new Date(now - age).toISOString();

describe('relative time', () => {
  test.each([
    [0, 'الآن', 'Just now'],
    [59 * SECOND, 'الآن', 'Just now'],
    [MINUTE, 'منذ دقيقة', '1 minute ago'],
    [2 * MINUTE, 'منذ دقيقتين', '2 minutes ago'],
    [3 * MINUTE, 'منذ ٣ دقائق', '3 minutes ago'],
    [10 * MINUTE, 'منذ ١٠ دقائق', '10 minutes ago'],
    [11 * MINUTE, 'منذ ١١ دقيقة', '11 minutes ago'],
    [59 * MINUTE, 'منذ ٥٩ دقيقة', '59 minutes ago'],
    [HOUR, 'منذ ساعة', '1 hour ago'],
    [2 * HOUR, 'منذ ساعتين', '2 hours ago'],
    [10 * HOUR, 'منذ ١٠ ساعات', '10 hours ago'],
    [11 * HOUR, 'منذ ١١ ساعة', '11 hours ago'],
    [23 * HOUR, 'منذ ٢٣ ساعة', '23 hours ago'],
    [DAY, 'منذ يوم', '1 day ago'],
    [2 * DAY, 'منذ يومين', '2 days ago'],
    [10 * DAY, 'منذ ١٠ أيام', '10 days ago'],
    [11 * DAY, 'منذ ١١ يومًا', '11 days ago'],
    [29 * DAY, 'منذ ٢٩ يومًا', '29 days ago'],
    [30 * DAY, '٢١ أكتوبر ٢٠٢٦', '21 October 2026'],
  ])('formats %d ms in both languages', (age, arabic, english) => {
    expect(relativeTime(before(age), clock('ar'))).toBe(arabic);
    expect(relativeTime(before(age), clock('en'))).toBe(english);
  });

  test(`a relative time is "now" if the clock is behind the server's`, () => {
    expect(relativeTime(before(-5 * MINUTE), clock('en'))).toBe('Just now');
  });

  test('the last time online may be never', () => {
    expect(lastSeen(before(7 * MINUTE), clock('ar'))).toBe('آخر ظهور منذ ٧ دقائق');
    expect(lastSeen(before(0), clock('en'))).toBe('Last seen just now');
    expect(lastSeen(null, clock('ar'))).toBe('لم يتصل بعد');
    expect(lastSeen(null, clock('en'))).toBe('Never connected');
  });

  test('older messages show date and time', () => {
    expect(messageTime(before(3 * HOUR), clock('en'))).toBe('3 hours ago');
    expect(messageTime(before(2 * DAY), clock('en'))).toMatch(/^18 November 2026\u00a0{3}\d{1,2}:\d{2}\u00a0[ap]m$/);
    expect(messageTime(before(2 * DAY), clock('ar'))).toMatch(/^١٨ نوفمبر ٢٠٢٦\u00a0{3}[٠-٩]{1,2}:[٠-٩]{2}\u00a0[صم]$/);
  });
});

describe('numbers', () => {
  const arabic = createTranslate('ar', allTexts.ar);

  test('numbers use Arabic-Indic digits in Arabic and European digits in English', () => {
    expect(createFormats('ar').number(1284)).toBe('١٬٢٨٤');
    expect(createFormats('en').number(1284)).toBe('1,284');
  });

  test("numbers in sentences use the language's digits, without grouping years", () => {
    expect(arabic('site.footer.rights', { year: 2026 })).toBe('© ٢٠٢٦ نجوى. جميع الحقوق محفوظة.');
    expect(arabic('messages.list.fresh', { count: 2 })).toBe('رسالتان جديدتان');
    expect(arabic('messages.list.fresh', { count: 11 })).toBe('١١ رسالة جديدة');
  });
});
