import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { system } from './browser.js';
import { PHOTOGRAPHS } from './helpers.js';

/** Several kinds of device. */
export const AGENTS = {
  android:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_1) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  ipad: 'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  none: 'a',
};

export const TEXTS = {
  ar: {
    long: 'لا أعرف كيف أقولها وجهًا لوجه، لكن وقوفك معي في ذلك الأسبوع لم يكن أمرًا عاديًّا. أردت أن تعرفي فقط.',
    preview: 'لا أعرف كيف أقولها وجهًا لوجه، لكن وقوفك…',
    others: [
      'لماذا اخترت اسم «نجوى»؟',
      'ما أجمل نصيحة تلقّيتِها في حياتك، ولماذا بقيت معك إلى اليوم؟',
      'هل يمكن أن نرى الرسائل مرتّبة حسب الشهر؟',
    ],
    questions: [
      'هل يظهر اسمي إذا أرسلت رسالة؟',
      'نسيت كلمة المرور، ماذا أفعل؟',
      'كيف أغيّر الصورة التي تظهر في صفحتي العامة؟ هذه التي أريد.',
    ],
    name: 'سالم الحربي',
    search: 'وجها لوجه',
  },
  en: {
    long: 'I don’t know how to say it face to face, but standing by me that week was no small thing. I just wanted you to know.',
    preview: 'I don’t know how to say it face to face,…',
    others: [
      'Why the name “Najwa”?',
      'What is the best advice you were ever given, and why did it stay with you?',
      'Could we see messages grouped by month?',
    ],
    questions: [
      'Does my name show when I send a message?',
      'I forgot my password, what now?',
      'How do I change the picture on my public page? This is the one I want.',
    ],
    name: 'Salem Alharbi',
    search: 'FACE  to face',
  },
};

export async function send(userId: number, content: string, userAgent: string): Promise<void> {
  const headers = {
    'user-agent': userAgent,
    'accept-language': 'ar-SA,ar;q=0.9,en;q=0.5',
    referer: 'https://social.example/noura',
  };
  const { status } = await system.request('POST', '/api/messages', { body: { userId, content }, headers });
  expect(status).toBe(201);
}

export async function ask(message: string, userAgent: string): Promise<void> {
  const { status } = await system.request('POST', '/api/chat', {
    body: { message, imageUrl: null },
    headers: { 'user-agent': userAgent },
  });
  expect(status).toBe(200);
}

export async function askWithPicture(page: Page, message: string): Promise<void> {
  const input = await page.evaluateHandle(() => {
    const element = document.createElement('input');
    element.type = 'file';
    document.body.append(element);
    return element;
  });
  await input.setInputFiles(PHOTOGRAPHS.withPlace);
  const status = await input.evaluate(async (element, text) => {
    const form = new FormData();
    form.append('image', element.files?.[0] ?? '');
    element.remove();
    const headers = { 'X-Requested-With': 'XMLHttpRequest' };
    const upload = (await (await fetch('/api/chat/upload', { method: 'POST', body: form, headers })).json()) as {
      image: { url: string };
    };
    const answer = await fetch('/api/chat', {
      method: 'POST',
      body: JSON.stringify({ message: text, imageUrl: upload.image.url }),
      headers: { ...headers, 'Content-Type': 'application/json' },
    });
    return answer.status;
  }, message);
  expect(status).toBe(200);
}
