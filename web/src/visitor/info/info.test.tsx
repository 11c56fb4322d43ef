import { describe, expect, test } from '@jest/globals';
import { cookieNameOf, COOKIES, LIMITS, RETENTION } from '@najwa/proto/http/client';
import { screen, within } from '@testing-library/react';
import type { ComponentType } from 'react';
import * as ar from '../../i18n/locales/ar/index.js';
import * as en from '../../i18n/locales/en/index.js';
import { MAX_KEPT } from '../../lib/kept-ways.js';
import { MAX_WAITING } from '../../lib/outbox/limit.js';
import { renderElement } from '../../test/render.js';
import { infoPages } from './index.js';

const all = Object.entries(infoPages);
const LANGUAGES = ['ar', 'en'] as const;

const ROUTES =
  /^\/(about|terms|privacy|contact|cookies|faq|help|r|reset|auth|profile|settings\/(access|receiving|data)|api\/docs)$/;

const show = (Page: ComponentType, language: 'ar' | 'en' = 'en') => renderElement(<Page />, { language });

const rowOf = (name: string) =>
  within(screen.getByRole('row', { name: new RegExp(`^${name}`) }))
    .getAllByRole('cell')
    .map(({ lastChild }) => lastChild?.textContent);

describe.each(LANGUAGES)('information pages (%s)', (language) => {
  test.each(all)('%s has a text everywhere, and links that lead somewhere', (_name, Page) => {
    const { container } = show(Page, language);
    expect(container.querySelectorAll('section').length).toBeGreaterThan(2);
    expect(container.textContent).not.toMatch(/{{|}}|\*\*|\]\(|(guide|privacy|site)\.[a-z0-9]+\./);
    for (const link of container.querySelectorAll('article a')) expect(link.getAttribute('href')).toMatch(ROUTES);
    for (const link of container.querySelectorAll<HTMLAnchorElement>('nav a'))
      expect(container.querySelector(link.hash)).not.toBeNull();
  });

  test('no number is typed into a text', () => {
    const { guide, privacy } = { ar, en }[language];
    expect(JSON.stringify({ guide, privacy }).replaceAll(/"\w+":|{{.+?}}/g, '')).not.toMatch(/[0-9٠-٩]/);
  });
});

describe('the privacy page', () => {
  test.each([
    ['Network address, browser', `${String(RETENTION.trackingDays)} days`],
    ['A block mark', `${String(RETENTION.networkTagHours)} hours`],
    ['What was set aside', `${String(RETENTION.asideDays)} days`],
    ['Notifications', `${String(RETENTION.notificationDays)} days`],
    ['The browsers we tell', `${String(RETENTION.sessionDays)} days`],
    ['The browsers we tell', `at most ${String(RETENTION.pushWayBackDays)} days`],
    ['A copy of a reported message', `${String(RETENTION.closedReportDays)} days`],
    ['The altered voice', `${String(RETENTION.previewMinutes)} minutes`],
    ['A picture or a sound that', `${String(RETENTION.unclaimedFileHours)} hours`],
    ['An account you asked to delete', `${String(LIMITS.deletionDays)} days`],
    ['The file with your data', `${String(RETENTION.exportHours)} hours`],
    ['The name of a deleted account', `${String(RETENTION.heldNameDays)} days`],
    ['Devices that are signed in', `${String(RETENTION.sessionDays)} days`],
    ['Conversations with the assistant', `${String(RETENTION.trackingDays)} days`],
  ])('%s: %s', (name, time) => {
    show(infoPages.privacy);
    expect(rowOf(name)[0]).toContain(time);
  });

  test('the privacy page says how long a sender can delete', () => {
    const { container } = show(infoPages.privacy);
    expect(container.textContent).toContain(`for ${String(RETENTION.wayBackDeletionMinutes)} minutes after sending`);
  });
});

test('the page of cookies lists every cookie with its time', () => {
  const { container } = show(infoPages.cookies);
  const rows = screen.getAllByRole('rowheader').map(({ textContent }) => textContent);
  expect(rows).toEqual([cookieNameOf('session', true), cookieNameOf('visitor', true), COOKIES.language.name]);
  for (const { name, days } of Object.values(COOKIES))
    expect(rowOf(rows.find((row) => row.endsWith(name)) ?? '')[1]).toContain(`${String(days)} days`);
  expect(container.textContent).toContain(`at most ${String(MAX_KEPT)} ways back`);
  expect(container.textContent).toContain(`At most ${String(MAX_WAITING)} messages`);
});

test('limits are those of the contract', () => {
  const { container } = show(infoPages.faq);
  expect(container.textContent).toContain(`Up to ${String(LIMITS.text.message.max)} characters`);
  expect(container.textContent).toContain(`less than ${String(LIMITS.recordingSeconds / 60)} minutes`);
});
