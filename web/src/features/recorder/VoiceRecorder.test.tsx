import { beforeEach, describe, expect, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { useState } from 'react';
import type { Language } from '../../i18n/index.js';
import { renderElement } from '../../test/render.js';
import { startApi, type Answers } from '../../test/server.js';
import { installMicrophone, installPlayback, type FakeMicrophone } from '../../test/sound.js';
import { VoiceRecorder } from './index.js';

const PREVIEW: Answers = { 'POST /audio/preview': { body: { previewUrl: '/audio/stream/preview' } } };
const UPLOAD: Answers = { 'POST /audio/upload': { status: 201, body: { id: 1 } } };

function Desk() {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const [sent, setSent] = useState(false);
  const [occupied, setOccupied] = useState(false);
  return (
    <>
      {sent ? (
        <p>It is sent.</p>
      ) : (
        <VoiceRecorder
          id="recorder"
          recipientId={7}
          sendSlot={slot}
          onOccupied={setOccupied}
          onSent={() => {
            setSent(true);
          }}
        />
      )}
      <div ref={setSlot} />
      <output>{occupied ? 'occupied' : 'free'}</output>
    </>
  );
}

async function open({ answers = {}, language = 'en' }: { answers?: Answers; language?: Language } = {}) {
  const api = await startApi({ ...PREVIEW, ...UPLOAD, ...answers });
  return { api, ...renderElement(<Desk />, { apiRoot: api.apiRoot, language }) };
}

/** Beside the bar as well as below the choice. */
const hearButtons = () => screen.getAllByRole<HTMLButtonElement>('button', { name: 'Hear how it will sound' });
const hearIt = (user: UserEvent) => user.click(hearButtons().at(-1) ?? document.body);

const button = (name: string) => screen.getByRole('button', { name });
const status = () => screen.getAllByRole('status').find(({ tagName }) => tagName === 'P');

/** As far as a finished recording. */
async function record(options?: Parameters<typeof open>[0]) {
  const view = await open(options);
  await view.user.click(button('Start recording'));
  await view.user.click(await screen.findByRole('button', { name: 'Stop' }));
  await screen.findByText('Recording ready');
  return view;
}

let microphone: FakeMicrophone;

beforeEach(() => {
  installPlayback();
  microphone = installMicrophone();
});

describe('recording', () => {
  test('goes from idle through recording and paused to stopped, and says so', async () => {
    const { user } = await open();
    expect(button('Start recording')).toHaveFocus();
    await user.click(button('Start recording'));
    expect(await screen.findByRole('button', { name: 'Stop' })).toHaveFocus();
    expect(screen.getByRole('timer')).toHaveTextContent('00:00');
    expect(status()).toHaveTextContent('Recording');
    expect(screen.getByText('occupied')).toBeVisible();
    await user.click(button('Pause'));
    expect(status()).toHaveTextContent('Recording paused');
    await user.click(button('Resume'));
    expect(screen.getByTestId('recorder')).toHaveAttribute('data-state', 'recording');
    await user.click(button('Stop'));
    expect(await screen.findByText('Recording ready')).toHaveFocus();
    expect(status()).toHaveTextContent('Recording ready, 00:0');
  });

  test('asks for one channel at 44100 Hz, and lets go of the microphone at its end', async () => {
    await record();
    expect(microphone.wishes).toEqual([{ audio: { channelCount: 1, sampleRate: 44_100 } }]);
    expect(microphone.types).toEqual(['audio/webm;codecs=opus']);
    expect(microphone.tracks[0]?.stop).toHaveBeenCalled();
  });

  test.each([
    ['Safari', 'audio/mp4'],
    ['an older Firefox', 'audio/ogg;codecs=opus'],
  ])('takes what %s records', async (_name, type) => {
    microphone = installMicrophone({ supported: [type] });
    await record();
    expect(microphone.types).toEqual([type]);
  });

  test('can be discarded, and leaves nothing', async () => {
    const { user } = await open();
    await user.click(button('Start recording'));
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    expect(button('Start recording')).toHaveFocus();
    expect(status()).toHaveTextContent('Recording discarded');
    expect(microphone.tracks[0]?.stop).toHaveBeenCalled();
    expect(screen.getByText('free')).toBeVisible();
  });

  test('can be made anew', async () => {
    const { user } = await record();
    await user.click(button('Record again'));
    expect(button('Start recording')).toHaveFocus();
    expect(screen.queryByRole('radio')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Send voice' })).toBeNull();
  });

  test('ends with what there is when the microphone goes away', async () => {
    const { user } = await open();
    await user.click(button('Start recording'));
    await screen.findByRole('button', { name: 'Stop' });
    act(() => {
      microphone.unplug();
    });
    expect(await screen.findByText('Recording ready')).toBeVisible();
  });

  test('lets go of the microphone when the page is left', async () => {
    const { user, unmount } = await open();
    await user.click(button('Start recording'));
    await screen.findByRole('button', { name: 'Stop' });
    unmount();
    expect(microphone.tracks[0]?.stop).toHaveBeenCalled();
  });

  test('closes a microphone that is granted to somebody who has left', async () => {
    let grant: () => void = () => undefined;
    microphone = installMicrophone({ grant: () => new Promise((resolve) => (grant = resolve)) });
    const { user, unmount } = await open();
    await user.click(button('Start recording'));
    expect(button('Start recording')).toHaveAttribute('aria-busy', 'true');
    unmount();
    grant();
    await waitFor(() => {
      expect(microphone.tracks[0]?.stop).toHaveBeenCalled();
    });
    expect(microphone.types).toEqual([]);
  });

  test('says when the browser cannot record', async () => {
    installMicrophone({ supported: [] });
    const { user } = await open();
    await user.click(button('Start recording'));
    expect(await screen.findByText('Microphone access error')).toBeVisible();
    expect(screen.getByText('Your browser does not support audio recording. Use a modern browser.')).toBeVisible();
  });

  test('says when the page may not use a microphone at all', async () => {
    Reflect.deleteProperty(navigator, 'mediaDevices');
    const { user } = await open({ language: 'ar' });
    await user.click(button('ابدأ التسجيل'));
    expect(await screen.findByText('تعذّر الوصول إلى الميكروفون')).toBeVisible();
    expect(screen.getByText('متصفّحك لا يدعم التسجيل. استخدم متصفّحًا حديثًا.')).toBeVisible();
  });

  test('says when it is not permitted, and can be tried again', async () => {
    installMicrophone({ grant: () => Promise.reject(new DOMException('Denied.', 'NotAllowedError')) });
    const { user } = await open();
    await user.click(button('Start recording'));
    expect(await screen.findByText('Audio recording error')).toBeVisible();
    expect(screen.getByText('Check microphone permission.')).toBeVisible();
    installMicrophone();
    await user.click(button('Start recording'));
    expect(await screen.findByRole('button', { name: 'Stop' })).toBeVisible();
  });
});

describe('a recording', () => {
  test('needs a voice before it is sent or heard', async () => {
    const { user, api } = await record();
    await user.click(button('Send voice'));
    expect(screen.getByRole('alert')).toHaveTextContent('You must choose the voice type before sending.');
    await user.click(screen.getByRole('radio', { name: 'Male voice' }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(api.calls).toEqual([]);
  });

  test('cannot be heard before a voice is chosen', async () => {
    const { user, api } = await record();
    await user.click(button('Hear how it will sound'));
    expect(screen.getByRole('alert')).toHaveTextContent('You must choose the voice type before sending.');
    expect(api.calls).toEqual([]);
  });

  test('says honestly what a changed voice keeps', async () => {
    await record();
    expect(screen.getByRole('group', { name: 'Choose the voice they will hear' })).toHaveAccessibleDescription(/Your words, accent and rhythm stay/);
  });

  test('is heard as it will arrive, and asked for once for each voice', async () => {
    const { user, api } = await record();
    expect(document.querySelector('audio')).toBeNull();
    await user.click(screen.getByRole('radio', { name: 'Female voice' }));
    await hearIt(user);
    await waitFor(() => {
      expect(screen.getByTestId('sound')).toHaveAttribute('data-state', 'playing');
    });
    expect(document.querySelector('audio')).toHaveAttribute('src', '/api/audio/stream/preview');
    const [call] = api.callsTo('POST /audio/preview');
    expect(call?.body).toMatch(/name="audio"[^]*raw voice[^]*name="voiceType"\s+female\s[^]*name="isPreview"\s+true/);
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

  test('is no longer taken as heard when the server is about to forget it', async () => {
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

  test('is prepared anew where its preview could not be played', async () => {
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

  test('waits while it is prepared to be heard', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const { user, api } = await record({ answers: { 'POST /audio/preview': () => held.then(() => ({ body: { previewUrl: '/audio/stream/preview' } })) } });
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

  test.each([
    [{ status: 422, body: { code: 'invalid_input', message: '', fields: { audio: 'too_short' } } }, 'The recording is too short. Record again.'],
    [{ status: 503, body: { code: 'unavailable', message: '' } }, 'The service is not available right now. Try again in a moment.'],
    [{ status: 429, headers: { 'retry-after': '30' }, body: { code: 'too_many_requests', message: '' } }, 'Too many attempts. Try again in 1 minute.'],
  ])('says when it could not be prepared (%#)', async (failure, reason) => {
    const { user, api } = await record({ answers: { 'POST /audio/preview': failure } });
    await user.click(screen.getByRole('radio', { name: 'Male voice' }));
    await hearIt(user);
    expect(await screen.findByText('Error')).toBeVisible();
    expect(screen.getByText('Failed to generate voice preview')).toBeVisible();
    expect(screen.getByText(reason)).toBeVisible();
    expect(api.calls).toHaveLength(1);
  });

  test('is sent with its voice', async () => {
    const { user, api } = await record();
    await user.click(screen.getByRole('radio', { name: 'Female voice' }));
    await user.click(button('Send voice'));
    expect(await screen.findByText('It is sent.')).toBeVisible();
    expect(screen.getByText('Voice message sent successfully')).toBeVisible();
    const [call] = api.callsTo('POST /audio/upload');
    expect(call?.body).toMatch(/raw voice[^]*name="userId"\s+7\s[^]*name="duration"\s+\d+\.\d\s[^]*name="voiceType"\s+female/);
    expect(call?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is kept when it could not be sent, and sent again under the same key', async () => {
    let refusals = 1;
    const { user, api } = await record({
      answers: {
        'POST /audio/upload': () => {
          refusals -= 1;
          return refusals < 0 ? { status: 201, body: { id: 1 } } : { status: 422, body: { code: 'invalid_input', message: '', fields: { audio: 'unsupported' } } };
        },
      },
    });
    await user.click(screen.getByRole('radio', { name: 'Male voice' }));
    await user.click(button('Send voice'));
    expect(await screen.findByText('Failed to send the voice message')).toBeVisible();
    expect(screen.getByText(/Failed to upload the audio message: \u2066422\u2069: There is no sound in it that we can read/)).toBeVisible();
    await user.click(button('Send voice'));
    expect(await screen.findByText('It is sent.')).toBeVisible();
    const [first, second] = api.callsTo('POST /audio/upload').map(({ headers }) => headers['idempotency-key']);
    expect(second).toBe(first);
  });
});
