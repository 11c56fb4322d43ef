import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { renderElement } from '../../test/render.js';

interface Settings {
  SITE?: { tracking: string; trackingDays: string; contact: string };
}

/** The pages of a site that keeps nothing of its callers, as they are built for it. */
let pages: Record<'privacy' | 'faq' | 'WhoSees', ComponentType>;

beforeAll(async () => {
  (globalThis as Settings).SITE = { tracking: 'off', trackingDays: '', contact: '' };
  const { infoPages } = await import('./pages.js');
  const { WhoSees } = await import('../public-page/WhoSees.js');
  pages = { ...infoPages, WhoSees };
});

afterAll(() => {
  delete (globalThis as Settings).SITE;
});

// Threat model: admin-12.
describe.each([
  ['ar', /لا يحفظ عنوان شبكتك ولا جهازك/, /لا يحفظ عناوين الشبكات ولا الأجهزة/, /ولا يحفظ هذا الموقع عنوان شبكتك ولا جهازك/],
  [
    'en',
    /keeps neither your network address nor your device/,
    /keeps neither network addresses nor devices/,
    /This site keeps neither your network address/,
  ],
] as const)('a site that keeps nothing of its callers says so (%s)', (language, onSheet, onPrivacy, inAnswers) => {
  test('where a message is written', async () => {
    renderElement(<pages.WhoSees />, { language });
    expect(await screen.findByText(onSheet)).toBeInTheDocument();
  });

  test('on the page about privacy and in the answers to questions', async () => {
    const { container } = renderElement(<pages.privacy />, { language });
    expect(await screen.findByText(onPrivacy)).toBeInTheDocument();
    expect(container.textContent).not.toMatch(/{{|}}|privacy\.privacy/);
    renderElement(<pages.faq />, { language });
    expect(await screen.findByText(inAnswers)).toBeInTheDocument();
  });
});
