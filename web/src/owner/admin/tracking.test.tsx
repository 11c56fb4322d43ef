import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { buildTrackingRecord } from '../../test/factories.js';
import { openAdmin, pageOf, refused, row, rows, tracked } from '../../test/open-admin.js';

const UNKNOWN = {
  ipAddress: null,
  userAgent: null,
  browser: null,
  operatingSystem: null,
  device: null,
  referrer: null,
  language: null,
  additionalData: null,
};

const facts = () =>
  Object.fromEntries(
    within(screen.getByTestId('detail'))
      .getAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  );

describe('tracking list', () => {
  test('a tracked message shows its beginning, state, time, device and recipient', async () => {
    const long = 'What is the best advice you were ever given, and why did it stay with you?';
    await openAdmin({
      answers: tracked([
        buildTrackingRecord(2, {}, { content: long }),
        buildTrackingRecord(1, { device: null }, { isRead: true }),
      ]),
    });
    await screen.findAllByText('@noura');
    expect((await rows()).map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(
        /^What is the best advice you were ever…New20 November 2026\s+\d+:\d\d\s[ap]mMobile@noura$/,
      ),
      expect.stringMatching(/^message 1Read20 November 2026\s+\d+:\d\d\s[ap]mUnknown@noura$/),
    ]);
    expect(screen.getByTestId('count')).toHaveTextContent('2');
  });

  test('the tracking list formats dates, numbers and devices in Arabic', async () => {
    const { user } = await openAdmin({
      answers: tracked([buildTrackingRecord(41, {}, { isPublic: true })]),
      language: 'ar',
    });
    const first = await row(0);
    expect(first).toHaveTextContent(/جديدة٢٠ نوفمبر ٢٠٢٦\s+[٠-٩]+:[٠-٩]+ [صم]هاتف/);
    expect(screen.getByTestId('count')).toHaveTextContent('١');
    await user.click(first);
    expect(screen.getByRole('heading', { name: 'رسالة رقم ٢٠٤١' })).toBeVisible();
    expect(within(screen.getByTestId('detail')).getByText('منشورة')).toBeVisible();
  });

  test('the tracking list requests each recipient once and omits unknown ones', async () => {
    const { api } = await openAdmin({
      answers: tracked([
        buildTrackingRecord(4),
        buildTrackingRecord(3, {}, { userId: 9 }),
        buildTrackingRecord(2),
        buildTrackingRecord(1, {}, { userId: 9 }),
      ]),
    });
    expect(await screen.findAllByText('@noura')).toHaveLength(2);
    await waitFor(() => {
      expect(api.callsTo('GET /users/by-id/9')).toHaveLength(1);
    });
    expect(api.callsTo('GET /users/by-id/1')).toHaveLength(1);
    expect(screen.getAllByText(/^@/)).toHaveLength(2);
  });

  test('the tracking list loads more pages', async () => {
    const { user } = await openAdmin({
      answers: tracked(Array.from({ length: 12 }, (_, index) => buildTrackingRecord(12 - index))),
    });
    expect(await rows()).toHaveLength(10);
    expect(screen.getByTestId('count')).toHaveTextContent('10+');
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(() => {
      expect(screen.getAllByTestId('row')).toHaveLength(12);
    });
    expect(screen.getByTestId('count')).toHaveTextContent('12');
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  });

  test('the tracking list shows the total if the server sends it', async () => {
    const records = Array.from({ length: 12 }, (_, index) => buildTrackingRecord(12 - index));
    await openAdmin({
      answers: {
        ...tracked(records),
        'GET /admin/sender-tracking': (call) => {
          const { body, headers } = pageOf(records, call);
          return { body, headers: { ...headers, 'x-total-count': '318' } };
        },
      },
      language: 'ar',
    });
    expect(await rows()).toHaveLength(10);
    expect(screen.getByTestId('count')).toHaveTextContent('٣١٨');
  });

  test('the tracking list shows a loading state, then an empty one', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await openAdmin({
      answers: {
        'GET /admin/sender-tracking': async () => {
          await held;
          return { body: [] };
        },
      },
    });
    expect(screen.getByTestId('rows-loading')).toBeVisible();
    expect(screen.queryByText('No tracking data')).toBeNull();
    answer();
    expect(await screen.findByText('No tracking data')).toBeVisible();
    expect(screen.getByTestId('count')).toHaveTextContent('0');
    expect(screen.getByText('Choose a message to see its details')).toBeVisible();
  });
});

describe('tracking list that cannot be loaded', () => {
  const warn = jest.spyOn(console, 'warn');

  beforeEach(() => {
    warn.mockReset().mockReturnValue(undefined);
  });

  afterEach(() => {
    warn.mockReset();
  });

  test('a tracking list that fails to load logs a warning and offers a retry', async () => {
    let open = false;
    const { user } = await openAdmin({
      answers: { 'GET /admin/sender-tracking': () => (open ? { body: [buildTrackingRecord(1)] } : refused) },
    });
    expect(await screen.findByText('Failed to get tracking data')).toBeVisible();
    expect(warn).toHaveBeenCalledWith('Failed to get tracking data.');
    expect(screen.queryByText('No tracking data')).toBeNull();
    open = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await rows()).toHaveLength(1);
  });

  test.each([
    ['', 'GET /admin/sender-tracking', { body: [buildTrackingRecord(1)] }],
    ['@noura', 'GET /users/noura', { body: { id: 7, username: 'noura' } }],
  ])('shows that it tries again after a search for "%s" failed', async (words, route, answer) => {
    let attempts = 0;
    let proceed = (): void => undefined;
    const { user } = await openAdmin({
      answers: {
        ...tracked([buildTrackingRecord(1)]),
        [route]: async () => {
          attempts += 1;
          if (attempts === 1) return refused;
          await new Promise<void>((resolve) => {
            proceed = resolve;
          });
          return answer;
        },
      },
    });
    if (words !== '') await user.type(screen.getByLabelText('Search the messages'), `${words}{Enter}`);
    const again = await screen.findByRole('button', { name: 'Try again' });
    await user.click(again);
    expect(await screen.findByRole('button', { name: 'Loading' })).toHaveAttribute('aria-busy', 'true');
    expect(again).toHaveFocus();
    await waitFor(() => {
      expect(attempts).toBe(2);
    });
    proceed();
    expect(await rows()).toHaveLength(1);
  });
});

describe('tracking detail', () => {
  test('the tracking detail shows the message and all tracking data', async () => {
    const { user, api } = await openAdmin({ answers: tracked([buildTrackingRecord(41), buildTrackingRecord(40)]) });
    await screen.findAllByText('@noura');
    await user.click(await row(0));
    const detail = within(screen.getByTestId('detail'));
    expect(detail.getByRole('heading', { name: 'Message no. 2041' })).toBeVisible();
    expect(detail.queryByText('message 41')).toBeNull();
    await user.click(detail.getByRole('button', { name: 'Blackmail' }));
    expect(await detail.findByText('message 41')).toBeVisible();
    const { query = new URLSearchParams() } = api.callsTo('GET /admin/sender-tracking').at(-1) ?? {};
    expect(Object.fromEntries(query)).toMatchObject({ before: '42', limit: '1', reason: 'blackmail' });
    expect(detail.getByText('Private')).toBeVisible();
    expect(detail.getByText('@noura')).toBeVisible();
    expect(facts()).toEqual({
      Device: 'Mobile',
      'Operating system': 'Android',
      Browser: 'Chrome',
      'User agent': 'Mozilla/5.0 (Linux; Android 15; Pixel 9)',
      'IP address': '203.0.113.77',
      Referrer: 'https://social.example/noura',
      Language: 'ar-SA',
    });
    expect(detail.getByText(/"acceptedLanguages"/).textContent).toBe(
      '{\n  "acceptedLanguages": [\n    "ar-SA",\n    "en"\n  ]\n}',
    );
    expect(await row(0)).toHaveAttribute('aria-current', 'true');
  });

  test('words stay folded where the reason could not be logged', async () => {
    const answers = tracked([buildTrackingRecord(1)]);
    const { user } = await openAdmin({
      answers: {
        ...answers,
        'GET /admin/sender-tracking': (call) =>
          call.query.has('reason') ? refused : pageOf([buildTrackingRecord(1)], call),
      },
    });
    await user.click(await row(0));
    const detail = within(screen.getByTestId('detail'));
    await user.click(detail.getByRole('button', { name: 'A threat' }));
    expect(await screen.findByText('Failed to get tracking data')).toBeVisible();
    expect(detail.queryByText('message 1')).toBeNull();
  });

  test('the tracking detail shows unknown values as unknown', async () => {
    const { user } = await openAdmin({ answers: tracked([buildTrackingRecord(1, UNKNOWN, { userId: 9 })]) });
    await user.click(await row(0));
    expect([...new Set(Object.values(facts()))]).toEqual(['Unknown']);
    const detail = within(screen.getByTestId('detail'));
    expect(detail.getByText('No additional data.')).toBeVisible();
    expect(detail.getByText(/^To Unknown/)).toBeVisible();
  });

  test('a closed section of the tracking detail stays closed for the next message', async () => {
    const { user } = await openAdmin({
      answers: tracked([buildTrackingRecord(2, { location: 'Riyadh' }), buildTrackingRecord(1)]),
    });
    await user.click(await row(0));
    expect(facts()).toMatchObject({ Location: 'Riyadh' });
    await user.click(screen.getByRole('button', { name: 'Network' }));
    expect(screen.getByRole('button', { name: 'Network' })).toHaveAttribute('aria-expanded', 'false');
    expect(facts()).not.toHaveProperty('IP address');
    await user.click(await row(1));
    expect(screen.getByRole('heading', { name: 'Message no. 2001' })).toBeVisible();
    expect(facts()).not.toHaveProperty('IP address');
    await user.click(screen.getByRole('button', { name: 'Network' }));
    expect(facts()).toMatchObject({ 'IP address': '203.0.113.77' });
  });
});
