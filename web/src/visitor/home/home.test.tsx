import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { renderRoutes } from '../../test/render.js';
import { startApi } from '../../test/server.js';
import { HomePage } from './index.js';
import { testimonials } from './testimonials.js';

const routes = [
  { path: '/', element: <HomePage /> },
  { path: '/auth', element: <p>sign-in page</p> },
];

beforeEach(() => {
  localStorage.clear();
});

afterEach(() => {
  jest.restoreAllMocks();
});

async function openHome(path = '/') {
  const { apiRoot } = await startApi({
    'GET /user': { status: 401, body: { message: 'Sign in first.', code: 'not_signed_in' } },
  });
  const view = renderRoutes(routes, { apiRoot, path });
  await screen.findByRole('heading', { level: 1 });
  return view;
}

const featured = () => screen.getByTestId('featured-testimonial');
const cards = () => screen.getAllByTestId('testimonial');
const clock = () => screen.getByTestId('testimonial-clock');
const nameAt = (index: number) => testimonials.at(index)?.name.en ?? '';

describe('home page', () => {
  test('home links to "how it works" and "features" move the focus there', async () => {
    const { user } = await openHome();
    await user.click(screen.getByRole('link', { name: 'How it works' }));
    expect(document.getElementById('how-it-works')).toHaveFocus();
    await user.click(screen.getByRole('link', { name: 'Explore features' }));
    expect(document.getElementById('features')).toHaveFocus();
  });

  test('home opens at the section in the URL', async () => {
    await openHome('/#testimonials-section');
    expect(document.getElementById('testimonials-section')).toHaveFocus();
  });

  test('home shows the three steps and the trust points', async () => {
    await openHome();
    const section = document.getElementById('how-it-works');
    if (section === null) throw new Error('The section does not exist.');
    expect(
      within(section)
        .getAllByRole('heading', { level: 3 })
        .map(({ textContent }) => textContent),
    ).toEqual(['1Create an account', '2Share the link', '3Receive messages']);
    for (const word of ['Secure', 'Private', 'Supported']) expect(within(section).getByText(word)).toBeVisible();
  });

  test('home ends with a link to the sign-in page', async () => {
    const { user } = await openHome();
    await user.click(screen.getByRole('link', { name: 'Start now' }));
    expect(await screen.findByText('sign-in page')).toBeVisible();
  });
});

describe('reviews', () => {
  test('there are twenty complete reviews in both languages', () => {
    expect(testimonials).toHaveLength(20);
    expect(new Set(testimonials.map(({ id }) => id)).size).toBe(20);
    for (const { name, text, rating } of testimonials) {
      expect([name.ar, name.en, text.ar, text.en]).not.toContain('');
      expect(rating).toBe(5);
    }
  });

  test('the featured review rotates, from the last back to the first', async () => {
    await openHome();
    for (const index of [0, 1, 2]) {
      expect(featured()).toHaveTextContent(nameAt(index));
      fireEvent.animationEnd(clock());
    }
    for (let index = 3; index < 20; index += 1) fireEvent.animationEnd(clock());
    expect(featured()).toHaveTextContent(nameAt(0));
  });

  test('pointer and keyboard focus pause the rotation of reviews', async () => {
    const { user } = await openHome();
    expect(clock()).not.toHaveAttribute('data-paused');
    await user.hover(featured());
    expect(clock()).toHaveAttribute('data-paused');
    await user.unhover(featured());
    expect(clock()).not.toHaveAttribute('data-paused');
    act(() => {
      cards()[0]?.focus();
    });
    expect(clock()).toHaveAttribute('data-paused');
    expect(featured()).toHaveAttribute('aria-live', 'polite');
  });

  test('a button stops and starts the rotation of reviews', async () => {
    const { user } = await openHome();
    const goAway = async () => {
      await user.hover(screen.getByRole('heading', { level: 1 }));
      act(() => {
        (document.activeElement as HTMLElement).blur();
      });
    };
    await user.click(screen.getByRole('button', { name: 'Pause the reviews' }));
    await goAway();
    expect(clock()).toHaveAttribute('data-paused');
    await user.click(screen.getByRole('button', { name: 'Play the reviews' }));
    await goAway();
    expect(clock()).not.toHaveAttribute('data-paused');
  });

  test('a click features one of the three other reviews', async () => {
    const { user } = await openHome();
    expect(
      cards()
        .map(({ textContent }) => textContent)
        .join(),
    ).not.toContain(`said:${nameAt(0)}`);
    expect(cards()).toHaveLength(3);
    await user.click(screen.getByRole('button', { name: /Read what Hind said/ }));
    expect(featured()).toHaveTextContent('Hind');
    expect(screen.queryByRole('button', { name: /Read what Hind said/ })).toBeNull();
    expect(screen.getByRole('button', { name: /Read what Reem said/ })).toBeVisible();
    expect(cards()).toContain(document.activeElement);
  });

  test('pages of reviews loop', async () => {
    const { user } = await openHome();
    await user.click(screen.getByRole('button', { name: 'Previous' }));
    expect(screen.getByText('Page 7 of 7')).toBeInTheDocument();
    expect(cards()).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByText('Page 1 of 7')).toBeInTheDocument();
    expect(cards()).toHaveLength(3);
  });

  test('a phone shows one review per page', async () => {
    const phone = {
      ...window.matchMedia(''),
      matches: true,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    };
    jest.spyOn(window, 'matchMedia').mockReturnValue(phone);
    await openHome();
    expect(cards()).toHaveLength(1);
    expect(screen.getByText('Page 1 of 19')).toBeInTheDocument();
  });
});
