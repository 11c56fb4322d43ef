import { ImageOff } from 'lucide-react';
import { styled } from 'styled-components';
import { RetryButton } from '../../app/LoadFailure.js';
import { Icon, Skeleton } from '../../components/index.js';
import { useTranslation } from '../../i18n/index.js';
import { semibold, textSize, tiny } from '../../theme/index.js';
import { useArrival } from './use-arrival.js';

const CODE_SIDE = 208;

/** The code of a page. */
export function CodePicture({ path }: { path: string }) {
  const { t } = useTranslation();
  const { state, attempt, retry, onLoad, onError } = useArrival();
  const isComing = state === 'coming';
  return (
    <Code aria-busy={isComing || undefined}>
      {state !== 'missing' && (
        <img key={attempt} src={path} alt={t('profile.sharing.code')} onLoad={onLoad} onError={onError} />
      )}
      {isComing && <Skeleton $inline="100%" $block="100%" />}
      {state === 'missing' && <p role="status">{t('profile.sharing.missing')}</p>}
      {(state === 'missing' || (isComing && attempt > 0)) && (
        <RetryButton size="sm" retrying={isComing} onRetry={retry} />
      )}
    </Code>
  );
}

interface Props {
  name: string;
  hint: string;
  path: string;
  width: number;
  height: number;
  onOffer: () => void;
}

/** A picture to share. If its preview did not come, the next press asks for that again. */
export function PictureTile({ name, hint, path, width, height, onOffer }: Props) {
  const { t } = useTranslation();
  const { state, attempt, retry, onLoad, onError } = useArrival(path);
  const isMissing = state === 'missing' || state === 'undrawable';
  return (
    <Tile type="button" aria-busy={state === 'coming' || undefined} onClick={isMissing ? retry : onOffer}>
      <Thumb>
        {isMissing ? (
          <Icon of={ImageOff} size="lg" />
        ) : (
          <Frame $width={width} $height={height}>
            <img key={attempt} src={path} alt="" loading="lazy" onLoad={onLoad} onError={onError} />
            {state === 'coming' && <Skeleton $inline="100%" $block="100%" />}
          </Frame>
        )}
      </Thumb>
      <b>{name}</b>
      {state === 'undrawable' ? (
        <Hint>{t('profile.sharing.undrawable')}</Hint>
      ) : isMissing ? (
        <Hint>
          {t('profile.sharing.missing')} <strong>{t('common.action.retry')}</strong>
        </Hint>
      ) : (
        <Hint>{hint}</Hint>
      )}
    </Tile>
  );
}

/* A picture and its placeholder share one cell. */
const Code = styled.figure`
  display: grid;
  place-items: center;
  align-content: center;
  gap: 10px;
  inline-size: ${CODE_SIDE}px;
  block-size: ${CODE_SIDE}px;
  overflow: hidden;
  border-radius: 18px;
  border-end-start-radius: 6px;
  text-align: center;
  color: var(--ink-2);
  background: var(--sunken);
  ${tiny}
  > :is(img, span) {
    grid-area: 1 / 1;
    inline-size: ${CODE_SIDE}px;
    block-size: ${CODE_SIDE}px;
    border-radius: 0;
  }
  > button {
    z-index: 1;
  }
  > p {
    padding-inline: 14px;
  }
  > img {
    background: #fff;
  }
`;

const Tile = styled.button`
  display: grid;
  gap: 4px;
  justify-items: start;
  align-content: start;
  text-align: start;
  inline-size: 100%;
  block-size: 100%;
  padding: 10px;
  border: 1px solid var(--line-strong);
  border-radius: 18px;
  border-end-start-radius: 6px;
  line-height: 1.5;
  &:hover {
    background: var(--sunken);
  }
  b {
    ${semibold}
    ${textSize('16px', '14px')}
  }
`;

const Thumb = styled.span`
  inline-size: 100%;
  block-size: 104px;
  display: grid;
  place-items: center;
  overflow: hidden;
  margin-block-end: 4px;
  background: var(--sunken);
  color: var(--ink-3);
  border-radius: 12px;
  border-end-start-radius: 4px;
`;

/* Has the shape of the picture before that is here. */
const Frame = styled.span<{ $width: number; $height: number }>`
  display: grid;
  inline-size: min(90%, calc(92px * ${({ $width, $height }) => $width / $height}));
  aspect-ratio: ${({ $width, $height }) => `${$width} / ${$height}`};
  overflow: hidden;
  background: var(--surface);
  border-radius: 8px;
  box-shadow: var(--shadow-2);
  > * {
    grid-area: 1 / 1;
  }
  img {
    inline-size: 100%;
    block-size: 100%;
  }
`;

const Hint = styled.span`
  color: var(--ink-2);
  ${tiny}
  strong {
    color: var(--violet-text);
  }
`;
