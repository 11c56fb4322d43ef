import { beforeEach, describe, expect, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { button, openRecorder, record, status } from '../../test/open-recorder.js';
import { installMicrophone, installPlayback, type FakeMicrophone } from '../../test/sound.js';

let microphone: FakeMicrophone;

beforeEach(() => {
  installPlayback();
  microphone = installMicrophone();
});

describe('VoiceRecorder', () => {
  test('the recorder records, pauses, resumes and stops, and announces each state', async () => {
    const { user } = await openRecorder();
    expect(button('Start recording')).toHaveFocus();
    await user.click(button('Start recording'));
    expect(await screen.findByRole('button', { name: 'Stop' })).toHaveFocus();
    expect(screen.getByRole('timer')).toHaveTextContent(/^00:0\d$/);
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

  test('the recorder requests one channel at 44100 Hz and releases the microphone at the end', async () => {
    await record();
    expect(microphone.wishes).toEqual([{ audio: { channelCount: 1, sampleRate: 44_100 } }]);
    expect(microphone.types).toEqual(['audio/webm;codecs=opus']);
    expect(microphone.tracks[0]?.stop).toHaveBeenCalled();
  });

  test.each([
    ['Safari', 'audio/mp4'],
    ['an older Firefox', 'audio/ogg;codecs=opus'],
  ])('uses the format of %s', async (_name, type) => {
    microphone = installMicrophone({ supported: [type] });
    await record();
    expect(microphone.types).toEqual([type]);
  });

  test('a recording can be discarded', async () => {
    const { user } = await openRecorder();
    await user.click(button('Start recording'));
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    expect(button('Start recording')).toHaveFocus();
    expect(status()).toHaveTextContent('Recording discarded');
    expect(microphone.tracks[0]?.stop).toHaveBeenCalled();
    expect(screen.getByText('free')).toBeVisible();
  });

  test('a recording can be repeated', async () => {
    const { user } = await record();
    await user.click(button('Record again'));
    expect(button('Start recording')).toHaveFocus();
    expect(screen.queryByRole('radio')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Send voice' })).toBeNull();
  });

  test('a recording stays when the microphone is unplugged', async () => {
    const { user } = await openRecorder();
    await user.click(button('Start recording'));
    await screen.findByRole('button', { name: 'Stop' });
    act(() => {
      microphone.unplug();
    });
    expect(await screen.findByText('Recording ready')).toBeVisible();
  });

  test('the recorder releases the microphone when unmounted', async () => {
    const { user, unmount } = await openRecorder();
    await user.click(button('Start recording'));
    await screen.findByRole('button', { name: 'Stop' });
    unmount();
    expect(microphone.tracks[0]?.stop).toHaveBeenCalled();
  });

  test('a microphone granted after unmounting is closed', async () => {
    let grant: () => void = () => undefined;
    microphone = installMicrophone({ grant: () => new Promise((resolve) => (grant = resolve)) });
    const { user, unmount } = await openRecorder();
    await user.click(button('Start recording'));
    expect(button('Start recording')).toHaveAttribute('aria-busy', 'true');
    unmount();
    grant();
    await waitFor(() => {
      expect(microphone.tracks[0]?.stop).toHaveBeenCalled();
    });
    expect(microphone.types).toEqual([]);
  });

  test('the recorder records without a level where the browser has no audio context', async () => {
    class Refusing {
      constructor() {
        throw new DOMException('Too many contexts.', 'NotSupportedError');
      }
    }
    Object.assign(window, { AudioContext: Refusing });
    try {
      await record();
    } finally {
      Reflect.deleteProperty(window, 'AudioContext');
    }
    expect(screen.getByText('Recording ready')).toBeVisible();
  });

  test('the recorder says that the browser cannot record', async () => {
    installMicrophone({ supported: [] });
    const { user } = await openRecorder();
    await user.click(button('Start recording'));
    expect(await screen.findByText('Microphone access error')).toBeVisible();
    expect(screen.getByText('Your browser does not support audio recording. Use a modern browser.')).toBeVisible();
  });

  test('the recorder says that the page may not use a microphone', async () => {
    Reflect.deleteProperty(navigator, 'mediaDevices');
    const { user } = await openRecorder({ language: 'ar' });
    await user.click(button('ابدأ التسجيل'));
    expect(await screen.findByText('تعذّر الوصول إلى الميكروفون')).toBeVisible();
    expect(screen.getByText('متصفّحك لا يدعم التسجيل. استخدم متصفّحًا حديثًا.')).toBeVisible();
  });

  test('the recorder says that the permission is missing, and retries', async () => {
    installMicrophone({ grant: () => Promise.reject(new DOMException('Denied.', 'NotAllowedError')) });
    const { user } = await openRecorder();
    await user.click(button('Start recording'));
    expect(await screen.findByText('Audio recording error')).toBeVisible();
    expect(screen.getByText('Check microphone permission.')).toBeVisible();
    installMicrophone();
    await user.click(button('Start recording'));
    expect(await screen.findByRole('button', { name: 'Stop' })).toBeVisible();
  });
});
