import { expect, test } from '@jest/globals';
import { LIMITS, RETENTION } from '@najwa/proto/http/client';
import { createFormats } from './format.js';
import * as ar from './locales/ar/index.js';
import * as en from './locales/en/index.js';

const MEGABYTE = 1024 * 1024;

/** Numbers written as words. */
const AS_WORDS: Record<'ar' | 'en', Partial<Record<number, RegExp>>> = {
  ar: { 3: /ثلاث/, 7: /أسبوع/, 10: /عشر/, 20: /عشرون/ },
  en: { 3: /\bthree\b/i, 7: /\bweek\b/, 10: /\bten\b/i, 20: /\btwenty\b/ },
};

/** The texts that state a limit of the contract. */
const STATED: readonly (readonly [
  limit: string,
  value: number,
  texts: (language: typeof en | typeof ar) => string[],
])[] = [
  [
    'megabytes of a message picture',
    LIMITS.messageImageBytes / MEGABYTE,
    ({ publicPage }) => [publicPage.composer.tooLargeText],
  ],
  ['megabytes of a chat picture', LIMITS.chatImageBytes / MEGABYTE, ({ chat }) => [chat.picture.tooLargeText]],
  [
    'megabytes of a photo',
    LIMITS.avatarBytes / MEGABYTE,
    ({ settings }) => [settings.avatar.hint, settings.avatar.tooLargeText],
  ],
  ['megabytes of a recording', LIMITS.recordingBytes / MEGABYTE, ({ recorder }) => [recorder.audio.too_large]],
  ['minutes of a recording', LIMITS.recordingSeconds / 60, ({ recorder }) => [recorder.audio.too_long]],
  [
    'seconds to take a change back',
    LIMITS.undoSeconds,
    ({ messages }) => [messages.undo.failedText, messages.remove.textReceived],
  ],
  ['pinned messages', LIMITS.pinned, ({ messages }) => [messages.pin.text, messages.pin.full]],
  ['questions', LIMITS.prompts, ({ ownErrors, receiving }) => [ownErrors.prompts_full, receiving.questions.text]],
  ['passkeys', LIMITS.passkeys, ({ ownErrors }) => [ownErrors.passkeys_full]],
  ['characters of a reason', LIMITS.text.reason.min, ({ admin }) => [admin.reports.reasonFault]],
  [
    'days of a message that was set aside',
    RETENTION.asideDays,
    ({ messages }) => [messages.aside.text, messages.block.text],
  ],
  [
    'days in which an account can be kept',
    LIMITS.deletionDays,
    ({ data }) => [data.deletion.text, data.deletion.submit],
  ],
  [
    'minutes to delete by the way back',
    RETENTION.wayBackDeletionMinutes,
    ({ wayBack }) => [wayBack.remove.tenMinutes, wayBack.remove.tooLate],
  ],
];

test.each(STATED)('texts state the number of %s as the services use it', (_limit, value, texts) => {
  for (const [language, all] of [
    ['ar', ar],
    ['en', en],
  ] as const) {
    for (const text of texts(all)) {
      const written = /[0-9٠-٩]+/.exec(text)?.[0];
      if (written === undefined) expect(text).toMatch(AS_WORDS[language][value] ?? /a word for it/);
      else expect(written).toBe(createFormats(language).number(value));
    }
  }
});
