import { GROUND_COLOURS, type Ground, GROUNDS } from '@najwa/proto/http/client';
import { ImageOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { RetryButton } from '../../ui/LoadFailure.js';
import { Icon, Ornament, Row, Skeleton } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { semibold, small, textSize, tiny } from '../../theme/index.js';
import { useArrival } from './use-arrival.js';

const CODE_SIDE = 72;

export function CodeRow({ path, children }: { path: string; children: ReactNode }) {
  const { t } = useTranslation();
  const { state, attempt, retry, onLoad, onError } = useArrival(path);
  const isComing = state === 'coming';
  const isMissing = state === 'missing';
  return (
    <CodeLine>
      <Code aria-busy={isComing || undefined}>
        {isMissing ? (
          <Icon of={ImageOff} size="lg" />
        ) : (
          <img key={attempt} src={path} alt={t('profile.sharing.code')} onLoad={onLoad} onError={onError} />
        )}
        {isComing && <Skeleton $inline="100%" $block="100%" />}
      </Code>
      <div>
        <p role={isMissing ? 'status' : undefined}>
          {t(isMissing ? 'profile.sharing.missing' : 'profile.sharing.camera')}
        </p>
        <Row $gap={6}>
          {(isMissing || (isComing && attempt > 0)) && <RetryButton size="sm" retrying={isComing} onRetry={retry} />}
          {children}
        </Row>
      </div>
    </CodeLine>
  );
}

interface PreviewProps {
  path: string;
  alt: string;
  width: number;
  height: number;
}

export function PicturePreview({ path, alt, width, height }: PreviewProps) {
  const { t } = useTranslation();
  const { state, attempt, retry, onLoad, onError } = useArrival(path);
  const isComing = state === 'coming';
  const isRetried = isComing && attempt > 0;
  const isWithout = state === 'missing' || state === 'undrawable';
  return (
    <Frame $width={width} $height={height} $hasWords={isWithout || isRetried} aria-busy={isComing || undefined}>
      {!isWithout && <img key={`${path} ${attempt}`} src={path} alt={alt} onLoad={onLoad} onError={onError} />}
      {isComing && !isRetried && <Skeleton $inline="100%" $block="100%" />}
      {(isWithout || isRetried) && (
        <Words role="status">
          {isWithout && (
            <>
              <Icon of={ImageOff} size="lg" />
              {t(`profile.sharing.${state}`)}
            </>
          )}
          {state !== 'undrawable' && <RetryButton size="sm" retrying={isRetried} onRetry={retry} />}
        </Words>
      )}
    </Frame>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  isChosen: boolean;
  onChoose: () => void;
  colour?: string;
  children?: ReactNode;
}

export function Choice({ name, label, isChosen, onChoose, colour, children }: ChoiceProps) {
  return (
    <Swatch $colour={colour}>
      {children}
      <input type="radio" name={name} aria-label={label} checked={isChosen} onChange={onChoose} />
    </Swatch>
  );
}

interface GroundPickerProps {
  chosen: Ground;
  /** Bits of the shared message. */
  ornament: string | undefined;
  onChoose: (ground: Ground) => void;
}

export function GroundPicker({ chosen, ornament, onChoose }: GroundPickerProps) {
  const { t } = useTranslation();
  return (
    <Grounds>
      <legend>{t('profile.sharing.ground')}</legend>
      {GROUNDS.map((ground) => (
        <Choice
          key={ground}
          name="ground"
          label={t(`profile.sharing.grounds.${ground}`)}
          isChosen={ground === chosen}
          onChoose={() => onChoose(ground)}
          colour={GROUND_COLOURS[ground].ground}
        >
          {ground === 'own' && ornament !== undefined && <Ornament bits={ornament} size={36} />}
        </Choice>
      ))}
    </Grounds>
  );
}

const CodeLine = styled.div`
  display: flex;
  gap: 16px;
  align-items: center;
  border-block-start: 1px solid var(--line);
  padding-block-start: 16px;
  p {
    color: var(--ink-2);
    ${small}
  }
  /* Both fit on one line at 390 px, also in English. */
  ${({ theme }) => theme.media.phone} {
    button {
      padding-inline: 8px;
    }
  }
`;

/* Picture and placeholder share a cell. Codes are black on white in both themes. */
const Code = styled.figure`
  flex: none;
  display: grid;
  place-items: center;
  padding: 8px;
  border: 1px solid var(--line);
  ${({ theme }) => theme.bubble.control}
  background: #fff;
  color: var(--ink-3);
  > :is(img, span) {
    grid-area: 1 / 1;
  }
  > * {
    inline-size: ${CODE_SIDE}px;
    block-size: ${CODE_SIDE}px;
  }
`;

/* Has the picture's shape before it loads. */
const Frame = styled.div<{ $width: number; $height: number; $hasWords: boolean }>`
  display: grid;
  inline-size: 100%;
  aspect-ratio: ${({ $width, $height, $hasWords }) => ($hasWords ? 'auto' : `${$width} / ${$height}`)};
  overflow: hidden;
  background: var(--sunken);
  ${({ theme }) => theme.bubble.photo}
  box-shadow: var(--shadow-2);
  > * {
    grid-area: 1 / 1;
    inline-size: 100%;
    block-size: 100%;
  }
`;

const Words = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 8px;
  justify-items: center;
  align-content: center;
  text-align: center;
  min-block-size: 160px;
  padding: 8px;
  color: var(--ink-2);
  ${tiny}
  > button {
    padding-inline: 4px;
    white-space: normal;
  }
`;

const Grounds = styled.fieldset`
  display: grid;
  grid-template-columns: repeat(3, 44px);
  gap: 10px;
  min-inline-size: 0;
  border: 0;
  legend {
    padding: 0;
    margin-block-end: 8px;
    color: var(--ink-2);
    ${semibold}
    ${textSize('15px', '14px')}
  }
`;

const Swatch = styled.label<{ $colour: string | undefined }>`
  position: relative;
  display: grid;
  place-items: center;
  block-size: 44px;
  ${({ theme }) => theme.bubble.control}
  background: ${({ $colour }) => $colour};
  ${({ $colour }) => $colour !== undefined && 'svg { stroke: var(--violet); }'}
  box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--ink) 16%, transparent);
  cursor: pointer;
  input {
    appearance: none;
    position: absolute;
    inset: 0;
    margin: 0;
    border-radius: inherit;
    cursor: pointer;
  }
  &:has(:checked) {
    box-shadow:
      0 0 0 2px var(--surface),
      0 0 0 4.5px var(--violet-text);
  }
  @media (forced-colors: active) {
    forced-color-adjust: none;
    &:has(:checked) {
      outline: 2px solid Highlight;
      outline-offset: 2px;
    }
  }
`;
