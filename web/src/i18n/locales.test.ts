import { describe, expect, test } from '@jest/globals';
import { ERRORS } from '@najwa/proto/http';
import * as ar from './locales/ar/index.js';
import * as en from './locales/en/index.js';

interface Tree {
  [key: string]: string | Tree;
}

const PLURAL = /_(zero|one|two|few|many|other)$/;

function texts(tree: Tree, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] satisfies [string, string]] : texts(value, `${path}${key}.`),
  );
}

const keysOf = (tree: Tree) => [...new Set(texts(tree).map(([key]) => key.replace(PLURAL, '')))].sort();

const placeholders = (text: string) => [...text.matchAll(/{{(\w+)/g)].map(([, name]) => name).sort();

describe('translations', () => {
  test('translations have the same keys in both languages', () => {
    expect(keysOf(ar)).toEqual(keysOf(en));
  });

  test('each code of an error has one text, for visitors or for accounts', () => {
    const codes = [...Object.keys(ar.common.error), ...Object.keys(ar.ownErrors)];
    const ofServer = codes.filter((code) => !/^(offline$|unreadable$|retryIn_)/.test(code));
    expect(ofServer.toSorted()).toEqual(Object.keys(ERRORS).toSorted());
  });

  test('translations have every plural form of each language', () => {
    for (const [language, tree] of [
      ['ar', ar],
      ['en', en],
    ] as const) {
      const keys = new Set(texts(tree).map(([key]) => key));
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
      const stems = new Set([...keys].filter((key) => PLURAL.test(key)).map((key) => key.replace(PLURAL, '')));
      for (const stem of stems)
        for (const category of pluralCategories) expect([...keys]).toContain(`${stem}_${category}`);
    }
  });

  test('Arabic texts name one and two by words alone, unlike more', () => {
    const forms = new Map(texts(ar));
    for (const [key, text] of forms) {
      if (/_(one|two)$/.test(key)) expect([key, text]).toEqual([key, expect.not.stringContaining('{{count')]);
      if (key.endsWith('_two')) expect([key, text]).not.toEqual([key, forms.get(key.replace(/two$/, 'few'))]);
    }
  });

  test('translations have no empty text, except where a language needs no word', () => {
    const empty = [...texts(ar), ...texts(en)].filter(([, text]) => text.trim() === '').map(([key]) => key);
    expect(empty).toEqual(['home.hero.after']);
  });

  test('translations use the same placeholders in both languages', () => {
    const general = new Map(texts(en).map(([key, text]) => [key.replace(/_other$/, ''), text]));
    for (const [key, text] of texts(ar)) {
      if (PLURAL.test(key) && !key.endsWith('_other')) continue;
      expect([key, placeholders(text)]).toEqual([key, placeholders(general.get(key.replace(/_other$/, '')) ?? '')]);
    }
  });

  test('translations keep the texts that the specification quotes', () => {
    expect(en.auth.fault.required).toBe('This field is required');
    expect(en.auth.fault.passwordsDiffer).toBe('Passwords do not match');
    expect(en.auth.fault.usernameTaken).toBe('Username already exists');
    expect(en.profile.link.copied).toBe('Link copied');
    expect(en.profile.link.copyFailed).toBe('Failed to copy');
    expect(en.profile.loading).toBe('Loading user data...');
    expect(en.messages.update.done).toBe('Message updated successfully');
    expect(en.messages.remove.done).toBe('Message deleted successfully');
    expect(en.messages.reply.done).toBe('Reply sent successfully');
    expect(en.settings.profile.saved).toBe('Changes saved');
    expect(en.settings.profile.failed).toBe('Error while saving: {{text}}');
    expect(en.settings.email.updated).toBe('Email updated');
    expect(en.settings.email.failed).toBe('Error while updating email: {{text}}');
    expect(en.settings.avatar.tooLargeText).toMatch(/must be under 2 MB/);
    expect(en.admin.chatbot.failed).toBe('Failed to fetch bot conversation data');
    expect(en.admin.remove.failed).toBe('Error in deletion');
    expect(en.admin.remove.oneFailed).toBe('Failed to delete the conversation');
    expect(en.admin.remove.allFailed).toBe('Failed to delete all conversations');
    expect(en.admin.remove.done).toBe('Deleted successfully');
    expect(en.admin.remove.confirm).toBe('Confirm delete');
    expect(en.admin.remove.oneText).toMatch(/^Are you sure .*This action cannot be undone\.$/);
    expect(en.admin.account.failed).toBe('Failed to create the admin account');
    expect(en.admin.account.failedText).toBe('Failed to create admin account');
    expect(en.admin.account.unknown).toBe('An unknown error occurred');
    expect(ar.auth.login.done).toBe('تم تسجيل الدخول بنجاح');
    expect(ar.auth.login.doneText).toBe('مرحباً بعودتك!');
    expect(ar.auth.login.failed).toBe('فشل تسجيل الدخول');
    expect(ar.auth.register.done).toBe('تم إنشاء الحساب بنجاح');
    expect(ar.auth.register.failed).toBe('فشل إنشاء الحساب');
    expect(ar.common.logout.done).toBe('تم تسجيل الخروج');
    expect(ar.common.logout.doneText).toBe('تم تسجيل خروجك بنجاح');
    expect(ar.common.logout.failed).toBe('فشل تسجيل الخروج');
    expect(ar.messages.reply.failed).toBe('خطأ في إرسال الرد');
    expect(ar.messages.update.failed).toBe('فشل تحديث الرسالة: {{text}}');
    expect(ar.messages.remove.failed).toBe('فشل حذف الرسالة: {{text}}');
  });
});
