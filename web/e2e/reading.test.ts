// Long run: a screen reader.
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { LANGUAGES, launchBrowser, newPerson, system } from './browser.js';
import { callAs, newOwner, ownIdOf } from './helpers.js';

const READ = [
  ...[
    'banner',
    'main',
    'contentinfo',
    'navigation',
    'complementary',
    'region',
    'form',
    'searchbox',
    'search',
    'article',
  ],
  ...['tablist', 'tabpanel', 'tab', 'radiogroup', 'radio', 'heading', 'link', 'button', 'textbox', 'checkbox', 'log'],
];
const LINE = new RegExp(`^\\s*- '?(${READ.join('|')})\\b(?: "((?:[^"\\\\]|\\\\.)*)")?(?:.*\\[level=(\\d)\\])?`);

/** Landmarks, headings and controls with their names, in the order of a screen reader. */
async function readingOrder(page: Page): Promise<string[]> {
  const tree = await page.locator('body').ariaSnapshot();
  return tree.split('\n').flatMap((line) => {
    const [, role, name = '', level] = LINE.exec(line) ?? [];
    if (role === undefined) return [];
    // Without isolation marks of names.
    const text = name.replaceAll(/[\u2066-\u2069]/g, '');
    return [`${level === undefined ? role : `h${level}`} ${text}`.trim()];
  });
}

const WORDS_READ = {
  ar: {
    before: ['link إلى المحتوى', 'banner', 'link نجوى، الصفحة الرئيسية', 'button English'],
    visitor: ['link تسجيل الدخول', 'link إنشاء حساب'],
    owner: ['button الإشعارات، إشعار جديد', 'button قائمة الحساب'],
    links: [
      ...['contentinfo', 'navigation روابط الموقع', 'link عن نجوى', 'link أسئلة شائعة', 'link مساعدة'],
      ...['link شروط الاستخدام', 'link الخصوصية', 'link ملفات الارتباط', 'link تواصل معنا'],
    ],
    after: ['complementary المساعد', 'button افتح المساعد الذكي', 'region الإشعارات المنبثقة (F8)'],
    home: [
      ...['main', 'h1 اسمع ما لا يُقال لك.', 'link أنشئ حسابك', 'link كيف تعمل نجوى؟'],
      ...['h2 كلامٌ صريح، وأنت مطمئن', 'article', 'h3 رابط واحد يخصّك', 'article', 'h3 صوتٌ يصل، وصاحبه مستتر'],
      ...['article', 'h3 لا يُنشر شيء إلا بإذنك', 'article', 'h3 ردّ على من لا تعرفه'],
      ...['h2 ثلاث خطوات، ثم أنصِت', 'h3 ١ أنشئ حسابًا', 'h3 ٢ شارك الرابط', 'h3 ٣ استقبل الرسائل'],
      ...['region قالوا عن نجوى', 'h2 قالوا عن نجوى', 'button السابق', 'button التالي'],
      ...['h2 ثمّة من يريد أن يقول لك شيئًا.', 'link ابدأ الآن', 'link استكشف المزايا'],
    ],
    register: [
      ...['main', 'tablist الدخول أو إنشاء حساب', 'tab تسجيل الدخول', 'tab حساب جديد', 'tabpanel حساب جديد'],
      ...['form أنشئ حسابك', 'h1 أنشئ حسابك', 'textbox الاسم', 'textbox اسم المستخدم', 'textbox كلمة المرور'],
      ...['button إظهار كلمة المرور', 'textbox تأكيد كلمة المرور', 'button إظهار كلمة المرور'],
      ...['checkbox أوافق على شروط الاستخدام وسياسة الخصوصية'],
      ...['link شروط الاستخدام', 'link سياسة الخصوصية', 'button أنشئ الحساب', 'link سجّل الدخول'],
      ...['complementary', 'h2 تواصَل بصراحة'],
    ],
    inbox: [
      ...['main', 'region نورة العلي', 'h1 نورة العلي', 'button نورة العلي رسالة جديدة رابطك وبياناتك وإحصاءاتك'],
      ...['button نسخ الرابط', 'button مشاركة', 'region الرسائل', 'h2 الرسائل'],
      ...['radiogroup تصفية', 'radio الكل', 'radio غير المقروءة ١', 'radio المقروءة'],
      ...['radio المستلمة', 'radio المُرسَلة', 'article', 'button one جديدة لك وحدك'],
      ...['button وُضعت جانبًا رسائل المحظورين وما أوقفته المرشّحات', 'region القراءة', 'h2 اختر رسالة'],
    ],
    public: [
      ...['main', 'complementary', 'region نورة العلي', 'h1 نورة العلي'],
      ...['region اكتب إلى نورة', 'h2 اكتب إلى نورة'],
      ...[
        'textbox نصّ الرسالة',
        'button صورة',
        'button رموز',
        'button اقترح سؤالًا',
        'button صوت',
        'button أرسل. اكتب شيئًا أولًا',
        'checkbox تصل خلال ست ساعات',
      ],
      ...['region الرسائل المنشورة', 'h2 الرسائل المنشورة', 'article', 'button أبلغ عن هذه الرسالة'],
    ],
    wayBack: [
      ...[
        'main',
        'h2 قُرئت',
        'link رسالتك',
        'h1 رسالتك إلى نورة العلي',
        'article',
        'link اكتب إلى نورة مرة أخرى',
        'button انسخ رابط العودة',
      ],
      'link أُرسلت من هذا الجهاز',
    ],
  },
  en: {
    before: ['link Skip to content', 'banner', 'link Najwa, home', 'button العربية'],
    visitor: ['link Sign in', 'link Sign up'],
    owner: ['button Notifications, 1 new', 'button Account menu'],
    links: [
      ...['contentinfo', 'navigation Site links', 'link About', 'link FAQ', 'link Help'],
      ...['link Terms', 'link Privacy', 'link Cookies', 'link Contact'],
    ],
    after: ['complementary Assistant', 'button Open the smart assistant', 'region Pop-up notifications (F8)'],
    home: [
      ...['main', 'h1 Hear what goes unsaid.', 'link Create your account', 'link How it works'],
      ...['h2 Honest words, on your terms', 'article', 'h3 One link that is yours'],
      ...['article', 'h3 A voice, without whose', 'article', 'h3 Nothing is public until you say so'],
      ...['article', 'h3 Answer someone you don’t know', 'h2 Three steps, then listen'],
      ...['h3 1 Create an account', 'h3 2 Share the link', 'h3 3 Receive messages'],
      ...['region What people say', 'h2 What people say', 'button Previous', 'button Next'],
      ...['h2 Someone has something to tell you.', 'link Start now', 'link Explore features'],
    ],
    register: [
      ...['main', 'tablist Sign in or create an account', 'tab Sign in', 'tab New account', 'tabpanel New account'],
      ...['form Create your account', 'h1 Create your account', 'textbox Name', 'textbox Username', 'textbox Password'],
      ...['button Show password', 'textbox Confirm password', 'button Show password'],
      ...['checkbox I agree to the terms of use and privacy policy', 'link terms of use', 'link privacy policy'],
      ...['button Create account', 'link Sign in', 'complementary', 'h2 Connect with honesty'],
    ],
    inbox: [
      ...['main', 'region Noura Alali', 'h1 Noura Alali'],
      'button Noura Alali 1 new message Your link, details and statistics',
      ...['button Copy link', 'button Share', 'region Messages', 'h2 Messages'],
      ...['radiogroup Filter', 'radio All', 'radio Unread 1', 'radio Read', 'radio Received'],
      ...['radio Sent', 'article', 'button one New Only you see this'],
      'button Set aside From blocked senders, or stopped by your filters',
      ...['region Reading', 'h2 Choose a message'],
    ],
    public: [
      ...[
        'main',
        'complementary',
        'region Noura Alali',
        'h1 Noura Alali',
        'region Write to Noura',
        'h2 Write to Noura',
      ],
      ...[
        'textbox Message text',
        'button Image',
        'button Emoji',
        'button Suggest',
        'button Voice',
        'button Send. Write something first',
        'checkbox Arrives within six hours',
      ],
      ...['region Public messages', 'h2 Public messages', 'article', 'button Report this message'],
    ],
    wayBack: [
      ...[
        'main',
        'h2 It was read',
        'link Your message',
        'h1 Your message to Noura Alali',
        'article',
        'link Write to Noura again',
        'button Copy the way back',
      ],
      'link Sent from this device',
    ],
  },
};

const browser = await launchBrowser();

describe.each(LANGUAGES)('what a screen reader reads (%s)', (language) => {
  const words = WORDS_READ[language];
  const expectOrder = (page: Page, order: string[]): Promise<void> =>
    system.eventually(async () => {
      // Reviews are also read as buttons.
      const read = (await readingOrder(page))
        .filter((line) => !/^button (Read what|اقرأ ما)/.test(line))
        .map((line) => line.replace(/ \S+\/m\/\S+/, '').replace(/(?<= (?:New|جديدة)) .+(?= (?:Only|لك))/, ''));
      expect(read).toEqual(order);
    }, 60_000);

  test('screen readers get the main screens in order, with landmarks, headings and names', async () => {
    const { before, visitor, owner, links, after } = words;
    const { page: visiting } = await newPerson(browser, system.url, language);
    await visiting.goto('/');
    await expectOrder(visiting, [...before, ...visitor, ...words.home, ...links, ...after]);
    await visiting.goto('/auth');
    await expectOrder(visiting, [...before, ...words.register, ...after]);

    const { page: own, username } = await newOwner(browser, language, 'reads');
    const sent = { userId: await ownIdOf(own), content: 'one' };
    const { body } = await system.request('POST', '/api/messages', { body: sent });
    const { id, wayBack } = body as { id: number; wayBack: string };
    await own.reload();
    await expectOrder(own, [...before, ...owner, ...words.inbox, ...links, ...after]);

    await callAs(own, 'PATCH', `/api/messages/${String(id)}`, { isPublic: true });
    await system.eventually(async () => {
      await visiting.goto(`/m/${username}`);
      expect(await visiting.getByTestId('public-message').count()).toBe(1);
    });
    await expectOrder(visiting, [...before, ...visitor, ...words.public, ...links, ...after]);
    await visiting.goto(wayBack);
    await expectOrder(visiting, [...before, ...visitor, ...words.wayBack, ...links, ...after]);
  });
});
