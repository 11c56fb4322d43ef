import { beforeEach, describe, expect, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { button, hearIt, record, status } from '../../test/open-recorder.js';
import { installFailingDevice, installMicrophone, installPlayback } from '../../test/sound.js';

beforeEach(() => {
  installPlayback();
  installMicrophone();
});

describe('finished recording', () => {
  test('a recording needs a voice before it is sent', async () => {
    const { user, api } = await record();
    const waiting = button('Send. Choose the voice first');
    expect(waiting).toHaveAttribute('aria-disabled', 'true');
    await user.click(waiting);
    expect(screen.getByRole('alert')).toHaveTextContent('You must choose the voice type before sending.');
    expect(screen.getByRole('radio', { name: 'Male voice' })).toHaveFocus();
    await user.click(screen.getByRole('radio', { name: 'Male voice' }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(button('Send voice')).not.toHaveAttribute('aria-disabled', 'true');
    expect(api.calls).toEqual([]);
  });

  test('a recording needs a voice before it is previewed', async () => {
    const { user, api } = await record();
    await user.click(button('Hear how it will sound'));
    expect(screen.getByRole('alert')).toHaveTextContent('You must choose the voice type before sending.');
    expect(api.calls).toEqual([]);
  });

  test('the recorder says where the voice is altered, and a failing device sends nothing', async () => {
    const device = installFailingDevice();
    const { user, api } = await record();
    expect(screen.getByText(/Your voice is changed on this device/)).toBeVisible();
    await user.click(screen.getByRole('radio', { name: 'Male voice' }));
    await hearIt(user);
    expect(await screen.findByRole('button', { name: /Preparing/ })).toHaveAttribute('aria-busy', 'true');
    act(() => {
      device.fail();
    });
    expect(
      await screen.findByText('This browser could not change the voice by itself. If you go on, our server does that.'),
    ).toBeVisible();
    expect(screen.getByText(/The recording goes to our server, which changes the voice/)).toBeVisible();
    expect(screen.queryByText(/Your voice is changed on this device/)).toBeNull();
    expect(api.calls).toEqual([]);

    await hearIt(user);
    await screen.findByTestId('sound');
    await user.click(button('Send voice'));
    expect(await screen.findByText('It is sent.')).toBeVisible();
    const [call] = api.callsTo('POST /audio/upload');
    expect(call?.body).toMatch(/raw voice/);
    expect(call?.body).not.toMatch(/isAltered/);
  });

  test('the recorder explains what an altered voice does not hide', async () => {
    await record();
    expect(screen.getByRole('group', { name: 'Choose the voice they will hear' })).toHaveAccessibleDescription(
      /Your words, accent and way of speaking stay/,
    );
  });

  test('each preview is requested once', async () => {
    const { user, api } = await record();
    expect(document.querySelector('audio')).toBeNull();
    await user.click(screen.getByRole('radio', { name: 'Female voice' }));
    await hearIt(user);
    await waitFor(() => {
      expect(screen.getByTestId('sound')).toHaveAttribute('data-state', 'playing');
    });
    expect(document.querySelector('audio')).toHaveAttribute('src', '/api/audio/stream/preview');
    const [call] = api.callsTo('POST /audio/preview');
    expect(call?.body).toMatch(/name="voiceType"\s+female\s[^]*name="isPreview"\s+true[^]*name="audio"[^]*raw voice/);
    await hearIt(user);
    expect(api.calls).toHaveLength(1);
    await user.click(screen.getByRole('radio', { name: 'Male voice' }));
    expect(document.querySelector('audio')).toBeNull();
    await hearIt(user);
    await screen.findByTestId('sound');
    await user.click(screen.getByRole('radio', { name: 'Female voice' }));
    expect(screen.getByTestId('sound')).toHaveAttribute('data-state', 'idle');
    expect(api.calls).toHaveLength(2);
  });

  test('a preview is dropped before the server deletes it', async () => {
    const { setTimeout: own } = globalThis;
    const wait = own.bind(window);
    let forget: () => void = () => undefined;
    const noticing = (task: () => void, delay?: number) => {
      if (delay === 8 * 60 * 1000) forget = task;
      return wait(task, delay);
    };
    const { user, api } = await record();
    await user.click(screen.getByRole('radio', { name: 'Male voice' }));
    Object.assign(window, { setTimeout: noticing });
    await hearIt(user);
    await screen.findByTestId('sound');
    Object.assign(window, { setTimeout: own });
    act(() => {
      forget();
    });
    expect(screen.queryByTestId('sound')).toBeNull();
    await hearIt(user);
    await waitFor(() => {
      expect(api.callsTo('POST /audio/preview')).toHaveLength(2);
    });
  });

  test('an unplayable preview is requested again', async () => {
    installPlayback({ playable: false });
    const { user, api } = await record();
    await user.click(screen.getByRole('radio', { name: 'Male voice' }));
    await hearIt(user);
    expect(await screen.findByText('An error occurred while playing the audio')).toBeVisible();
    await hearIt(user);
    await waitFor(() => {
      expect(api.callsTo('POST /audio/preview')).toHaveLength(2);
    });
  });

  test('a preview shows a busy state while it is prepared', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const { user, api } = await record({
      answers: { 'POST /audio/preview': () => held.then(() => ({ body: { previewUrl: '/audio/stream/preview' } })) },
    });
    await user.click(screen.getByRole('radio', { name: 'Male voice' }));
    await hearIt(user);
    expect(await screen.findByRole('button', { name: /Preparing/ })).toHaveAttribute('aria-busy', 'true');
    expect(status()).toHaveTextContent('Preparing the preview');
    expect(button('Send voice')).toBeDisabled();
    expect(screen.getByRole('radio', { name: 'Male voice' })).toBeDisabled();
    await waitFor(() => {
      expect(api.calls).toHaveLength(1);
    });
    answer();
    await screen.findByTestId('sound');
    expect(status()).toHaveTextContent('Preview ready');
  });

  test('a preview by keyboard moves the focus to the player', async () => {
    const { user, api } = await record();
    await user.click(screen.getByRole('radio', { name: 'Male voice' }));
    const [round] = screen.getAllByRole('button', { name: 'Hear how it will sound' });
    round?.focus();
    await user.keyboard('{Enter}{Enter}');
    await screen.findByTestId('sound');
    expect(screen.getByRole('button', { name: /^(Play|Pause)$/ })).toHaveFocus();
    expect(api.callsTo('POST /audio/preview')).toHaveLength(1);
  });

  test.each([
    [
      { status: 422, body: { code: 'invalid_input', message: '', fields: { audio: 'too_short' } } },
      'The recording is too short. Record again.',
    ],
    [
      { status: 503, body: { code: 'unavailable', message: '' } },
      'Images and voice messages cannot be sent right now, text can. Try again in a moment.',
    ],
    [
      { status: 429, headers: { 'retry-after': '30' }, body: { code: 'too_many_requests', message: '' } },
      'Too many attempts. Try again in 1 minute.',
    ],
  ])('shows why the preview failed (%#)', async (failure, reason) => {
    const { user, api } = await record({ answers: { 'POST /audio/preview': failure } });
    await user.click(screen.getByRole('radio', { name: 'Male voice' }));
    await hearIt(user);
    expect(await screen.findByText('Error')).toBeVisible();
    expect(screen.getByText('Failed to generate voice preview')).toBeVisible();
    expect(screen.getByText(reason)).toBeVisible();
    expect(api.calls).toHaveLength(1);
  });

  test('a recording is sent with the chosen voice', async () => {
    const { user, api } = await record();
    await user.click(screen.getByRole('radio', { name: 'Female voice' }));
    await user.click(button('Send voice'));
    expect(await screen.findByText('It is sent.')).toBeVisible();
    expect(await screen.findByText('Voice message sent successfully')).toBeVisible();
    const [call] = api.callsTo('POST /audio/upload');
    expect(call?.body).toMatch(
      /name="userId"\s+7\s[^]*name="duration"\s+\d+\.\d\s[^]*name="voiceType"\s+female[^]*raw voice/,
    );
    expect(call?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['nothing', { status: 200 }],
    ['an object of its own', { status: 200, body: { login: '/portal' } }],
  ])('is not sent to a network that answers %s', async (_name, answer) => {
    const { user } = await record({ answers: { 'POST /audio/upload': answer } });
    await user.click(screen.getByRole('radio', { name: 'Female voice' }));
    await user.click(button('Send voice'));
    expect(await screen.findByText('Failed to send the voice message')).toBeVisible();
    expect(screen.queryByText('Voice message sent successfully')).toBeNull();
  });

  test('a recording is kept after a failure and sent again with the same key', async () => {
    let refusals = 1;
    const { user, api } = await record({
      answers: {
        'POST /audio/upload': () => {
          refusals -= 1;
          return refusals < 0
            ? { status: 201, body: { id: 1, content: '' } }
            : { status: 422, body: { code: 'invalid_input', message: '', fields: { audio: 'unsupported' } } };
        },
      },
    });
    await user.click(screen.getByRole('radio', { name: 'Male voice' }));
    await user.click(button('Send voice'));
    expect(await screen.findByText('Failed to send the voice message')).toBeVisible();
    expect(
      screen.getByText(/Failed to upload the audio message: 422: There is no sound in it that we can read/),
    ).toBeVisible();
    await user.click(await screen.findByRole('button', { name: 'Send voice' }));
    expect(await screen.findByText('It is sent.')).toBeVisible();
    const [first, second] = api.callsTo('POST /audio/upload').map(({ headers }) => headers['idempotency-key']);
    expect(second).toBe(first);
  });
});
