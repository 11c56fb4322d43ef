import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef } from 'react';
import { styled } from 'styled-components';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { tiny } from '../../theme/index.js';
import { BAR_COUNT, toBars, Waveform } from './Waveform.js';
import { Clock, PlayButton, SoundBar } from './sound-parts.js';
import { usePlayback } from './use-playback.js';

interface Props {
  src: string;
  /** In seconds. An estimate until loaded. */
  duration: number;
  peaks: readonly number[] | null;
  failure: string;
  /** Starts on mount, for when the user has just asked to listen. */
  autoPlay?: boolean;
  onPanel?: boolean;
  onFailed?: () => void;
}

const STEPS = 20;
const MIN_STEP = 1;

/** The position follows pointer and keyboard. */
export function Player({
  src,
  duration: expected,
  peaks,
  failure,
  autoPlay = false,
  onPanel = false,
  onFailed,
}: Props) {
  const { t } = useTranslation();
  const { number, duration: clock } = useFormats();
  const { element, state, position, duration, speed, play, toggle, seek, changeSpeed } = usePlayback(
    expected,
    onFailed,
  );
  const started = (state !== 'idle' && state !== 'failed') || position > 0;

  const button = useRef<HTMLButtonElement>(null);

  const startOnMount = useEffectEvent(() => {
    if (!autoPlay) return;
    // The clicked button may be gone: take over its focus.
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
    void play();
  });
  useEffect(() => {
    startOnMount();
  }, []);

  return (
    <SoundBar
      dir="ltr"
      role="group"
      aria-label={t('player.label', { duration: clock(duration) })}
      data-testid="sound"
      data-state={state}
      $onPanel={onPanel}
    >
      <audio {...element} src={src} />
      <PlayButton
        ref={button}
        state={state === 'loading' ? 'loading' : state === 'playing' ? 'pause' : 'play'}
        onClick={toggle}
      />
      {state === 'failed' ? (
        <Failure role="alert" dir="auto">
          {failure}
        </Failure>
      ) : (
        <>
          <Track
            role="slider"
            tabIndex={0}
            aria-label={t('player.position')}
            aria-valuemin={0}
            aria-valuemax={Math.round(duration)}
            aria-valuenow={Math.round(position)}
            aria-valuetext={t('player.positionOf', { position: clock(position), duration: clock(duration) })}
            onKeyDown={(event) => {
              const target = seekTarget(event, position, duration);
              if (target === null) return;
              event.preventDefault();
              seek(target);
            }}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              // A finger may be about to scroll the page.
              if (event.pointerType !== 'touch') seek(pointerFraction(event) * duration);
            }}
            onPointerMove={(event) => {
              if (event.currentTarget.hasPointerCapture(event.pointerId)) seek(pointerFraction(event) * duration);
            }}
            onPointerUp={(event) => seek(pointerFraction(event) * duration)}
          >
            <Waveform
              bars={toBars(peaks)}
              head={started ? Math.min(BAR_COUNT - 1, Math.floor((position / duration) * BAR_COUNT)) : null}
            />
          </Track>
          <Speed type="button" aria-label={t('player.speed', { speed: number(speed) })} onClick={changeSpeed}>
            {number(speed)}×
          </Speed>
          <Clock>{clock(started ? position : duration)}</Clock>
        </>
      )}
    </SoundBar>
  );
}

/** The waveform runs from left to right in both languages, and so do the arrow keys. */
function seekTarget({ key }: KeyboardEvent, position: number, duration: number): number | null {
  const step = Math.max(MIN_STEP, duration / STEPS);
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return position + step;
    case 'ArrowLeft':
    case 'ArrowDown':
      return position - step;
    case 'Home':
      return 0;
    case 'End':
      return duration;
    default:
      return null;
  }
}

function pointerFraction({ clientX, currentTarget }: PointerEvent): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return width === 0 ? 0 : (clientX - left) / width;
}

const Track = styled.span`
  flex: 1;
  display: flex;
  min-inline-size: 0;
  padding-block: 4px;
  border-radius: 8px;
  cursor: pointer;
  touch-action: pan-y pinch-zoom;
  container-type: inline-size;
`;

const Speed = styled.button`
  ${tiny}
  font-variant-numeric: tabular-nums;
  min-inline-size: 36px;
  min-block-size: 36px;
  color: var(--ink-2);
  ${({ theme }) => theme.bubble.small}
  ${({ theme }) => theme.media.phone} {
    min-inline-size: 44px;
    min-block-size: 44px;
  }
  &:hover {
    background: color-mix(in srgb, var(--ink) 6%, transparent);
    color: var(--ink);
  }
`;

const Failure = styled.p`
  flex: 1;
  ${tiny}
  color: var(--danger-text);
  text-align: start;
`;
