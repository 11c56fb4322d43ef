import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { fireEvent, screen, within } from '@testing-library/react';
import type { Language } from '../../i18n/index.js';
import { renderElement } from '../../test/render.js';
import { installPlayback } from '../../test/sound.js';
import { Player } from './index.js';

const FAILURE = 'It cannot be played.';

let playback: ReturnType<typeof installPlayback>;

beforeEach(() => {
  playback = installPlayback();
});

function open(names: readonly string[] = ['one'], language: Language = 'en') {
  const view = renderElement(
    <>
      {names.map((name) => (
        <Player key={name} src={`/api/audio/stream/${name}`} duration={42} peaks={[10, 90]} failure={FAILURE} />
      ))}
    </>,
    { language },
  );
  const bars = screen.getAllByTestId('sound');
  const sounds = bars.map((bar) => {
    const audio = bar.querySelector('audio');
    if (audio === null) throw new Error('The player has no audio element.');
    return {
      bar,
      audio,
      button: () => within(bar).getByRole('button', { name: /^(Play|Pause|تشغيل|إيقاف مؤقت)$/ }),
      slider: () => within(bar).getByRole('slider'),
    };
  });
  const [first] = sounds;
  if (first === undefined) throw new Error('There is no player.');
  return { ...view, ...first, sounds };
}

function advance(audio: HTMLAudioElement, seconds: number): void {
  audio.currentTime = seconds;
  fireEvent.timeUpdate(audio);
}

describe('player', () => {
  test('the player loads nothing before playing, and shows its length', () => {
    const { audio, bar } = open();
    expect(audio).toHaveAttribute('preload', 'none');
    expect(audio).toHaveAttribute('src', '/api/audio/stream/one');
    expect(bar).toHaveAccessibleName('Voice message, 00:42');
    expect(bar).toHaveTextContent('00:42');
    expect(bar).toHaveAttribute('data-state', 'idle');
  });

  test('the player uses Arabic digits in Arabic', () => {
    expect(open(['one'], 'ar').bar).toHaveAccessibleName('رسالة صوتية، ٠٠:٤٢');
  });

  test('the player plays, pauses and resumes', async () => {
    const { user, bar, button } = open();
    await user.click(button());
    expect(bar).toHaveAttribute('data-state', 'playing');
    expect(button()).toHaveAccessibleName('Pause');
    await user.click(button());
    expect(bar).toHaveAttribute('data-state', 'paused');
    await user.click(button());
    expect(bar).toHaveAttribute('data-state', 'playing');
  });

  test('the player shows the position and starts over after the end', async () => {
    const { user, bar, audio, button, slider } = open();
    await user.click(button());
    advance(audio, 11);
    expect(slider()).toHaveAttribute('aria-valuetext', '00:11 of 00:42');
    expect(bar).toHaveTextContent('00:11');
    expect(bar.querySelectorAll('[data-played]')).toHaveLength(11);
    fireEvent.ended(audio);
    expect(bar).toHaveAttribute('data-state', 'idle');
    expect(slider()).toHaveAttribute('aria-valuenow', '0');
    expect(audio.currentTime).toBe(0);
    expect(bar.querySelectorAll('[data-played]')).toHaveLength(0);
  });

  test('the player seeks with the keyboard, within its bounds', async () => {
    const { user, bar, audio, button, slider } = open();
    await user.tab();
    expect(button()).toHaveFocus();
    await user.tab();
    expect(slider()).toHaveFocus();
    await user.keyboard('{ArrowRight}');
    expect(audio.currentTime).toBeCloseTo(2.1);
    expect(bar).toHaveTextContent('00:02');
    expect(bar.querySelectorAll('[data-played]')).not.toHaveLength(0);
    await user.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(audio.currentTime).toBe(0);
    await user.keyboard('{End}');
    expect(slider()).toHaveAttribute('aria-valuenow', '42');
    await user.keyboard('{Home}');
    expect(slider()).toHaveAttribute('aria-valuenow', '0');
  });

  test('the player seeks to the clicked position', () => {
    const { audio, slider } = open();
    jest.spyOn(slider(), 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 0, 200, 40));
    fireEvent(slider(), new MouseEvent('pointerdown', { bubbles: true, clientX: 150 }));
    expect(audio.currentTime).toBeCloseTo(10.5);
  });

  test('a finger that begins a scroll on the player seeks nothing, and one that taps does', () => {
    const { audio, slider } = open();
    jest.spyOn(slider(), 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 0, 200, 40));
    const touch = (type: string) => {
      const event = new MouseEvent(type, { bubbles: true, clientX: 150 });
      fireEvent(slider(), Object.assign(event, { pointerType: 'touch' }));
    };
    touch('pointerdown');
    touch('pointercancel');
    expect(audio.currentTime).toBe(0);
    touch('pointerdown');
    touch('pointerup');
    expect(audio.currentTime).toBeCloseTo(10.5);
  });

  test('the player has three speeds and keeps the speed for the next playback', async () => {
    const { user, audio, button } = open();
    const speed = () => screen.getByRole('button', { name: /^Speed/ });
    expect(speed()).toHaveAccessibleName('Speed 1');
    await user.click(speed());
    expect(speed()).toHaveAccessibleName('Speed 1.5');
    expect(audio.playbackRate).toBe(1.5);
    await user.click(speed());
    await user.click(button());
    expect(audio.playbackRate).toBe(2);
    await user.click(speed());
    expect(audio.playbackRate).toBe(1);
  });

  test('the player pauses when another one starts', async () => {
    const { user, sounds } = open(['one', 'two']);
    for (const { button } of sounds) await user.click(button());
    expect(sounds.map(({ bar }) => bar.dataset['state'])).toEqual(['paused', 'playing']);
  });

  test('the player pauses when unmounted', async () => {
    const { user, audio, button, unmount } = open();
    await user.click(button());
    const paused = jest.fn();
    audio.addEventListener('pause', paused);
    unmount();
    expect(paused).toHaveBeenCalledTimes(1);
  });

  test('the player shows a playback error and retries', async () => {
    const { user, bar, audio, button } = open();
    playback.play.mockRejectedValueOnce(new DOMException('No source.', 'NotSupportedError'));
    await user.click(button());
    expect(within(bar).getByRole('alert')).toHaveTextContent(FAILURE);
    expect(within(bar).queryByRole('slider')).toBeNull();
    await user.click(button());
    expect(playback.load).toHaveBeenCalledTimes(1);
    expect(bar).toHaveAttribute('data-state', 'playing');
    fireEvent.error(audio);
    expect(within(bar).getByRole('alert')).toBeVisible();
  });

  test('the player waits for a click if the browser blocks autoplay', async () => {
    const { user, bar, button } = open();
    playback.play.mockRejectedValueOnce(new DOMException('Not now.', 'NotAllowedError'));
    await user.click(button());
    expect(bar).toHaveAttribute('data-state', 'paused');
    expect(within(bar).queryByRole('alert')).toBeNull();
  });
});
