import { Pause } from 'lucide-react';
import { css, styled } from 'styled-components';
import { BOWL, Icon, MessageShape, Ornament } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { barHeight, barHeights, lightTokens } from '../../theme/index.js';
import { HeroBowl } from './HeroBowl.js';

/** A picture keeps its proportions with texts of any size. */
const drawnSize = (arabic: string, english: string) => css`
  font-size: ${arabic};
  :lang(en) & {
    font-size: ${english};
  }
`;

const WAVE = [
  71, 77, 86, 41, 67, 72, 59, 79, 72, 59, 41, 23, 15, 26, 38, 0, 31, 23, 58, 60, 82, 67, 67, 77, 40, 78, 89, 74, 43, 32,
  32, 29, 25, 40, 37, 61, 24, 75, 57, 61, 95, 56, 50, 88,
];
const PLAYED = 15;

export function HeroPicture() {
  const { t } = useTranslation();
  const { number } = useFormats();
  return (
    <Backdrop aria-hidden="true">
      <BigDot viewBox="0 0 24 24">
        <path d="M8.70 4.30Q12.00 1.00 15.30 4.30L19.70 8.70Q23.00 12.00 19.70 15.30L15.30 19.70Q12.00 23.00 8.70 19.70L4.30 15.30Q1.00 12.00 4.30 8.70Z" />
      </BigDot>
      <First element="div" state="unread">
        <Sender bits="3f2a91c4d07be815" />
        <p>{t('home.hero.first')}</p>
      </First>
      <Second element="div" state="read">
        <Sender bits="a94c5e7720b1f3d6" />
        <Sound dir="ltr">
          <span>
            <Icon of={Pause} />
          </span>
          <div>
            {WAVE.map((height, index) => (
              <Bar
                key={index}
                $played={index < PLAYED}
                $head={index === PLAYED}
                {...(index !== PLAYED && barHeight(height))}
              />
            ))}
          </div>
          <time>{`${number(0)}:${number(0)}${number(7)}`}</time>
        </Sound>
      </Second>
      <Third element="div" state="published">
        <Sender bits="5be8d2310f96c47a" />
        <p>{t('home.hero.third')}</p>
      </Third>
      <HeroBowl path={BOWL} />
    </Backdrop>
  );
}

function Sender({ bits }: { bits: string }) {
  const { t } = useTranslation();
  return (
    <Meta>
      <Ornament bits={bits} size={36} />
      <b>{t('common.person.anonymous')}</b>
    </Meta>
  );
}

const Backdrop = styled.div`
  position: relative;
  block-size: 608px;
  ${({ theme }) => theme.bubble.stage}
  --stage-ground: var(--hero);
  background: var(--stage-ground);
  overflow: hidden;
  isolation: isolate;
  ${({ theme }) => theme.media.phone} {
    block-size: 456px;
    border-radius: 40px;
    border-end-start-radius: 11px;
  }
`;

const BigDot = styled.svg`
  position: absolute;
  inline-size: 92px;
  block-size: 92px;
  inset-block-start: 22px;
  inset-inline-start: 234px;
  fill: var(--rose);
  z-index: 1;
  ${({ theme }) => theme.media.narrow} {
    inset-inline-start: calc(50% - 46px);
  }
  ${({ theme }) => theme.media.phone} {
    inline-size: 64px;
    block-size: 64px;
    inset-inline-start: calc(50% - 32px);
  }
`;

const Meta = styled.div`
  display: flex;
  gap: 10px;
  align-items: center;
  min-block-size: 36px;
  b {
    white-space: nowrap;
    line-height: 1.45;
    font-weight: 700;
    ${drawnSize('17px', '15px')}
  }
  ${({ theme }) => theme.media.phone} {
    gap: 8px;
    > svg {
      inline-size: 28px;
    }
    b {
      ${drawnSize('14px', '14px')}
    }
  }
`;

/* Light colours in the dark scheme, too. */
const MiniMessage = styled(MessageShape)`
  ${lightTokens}
  --behind: var(--stage-ground);
  --edge: transparent;
  color: var(--ink);
  color-scheme: light;
  position: absolute;
  border-color: transparent;
  padding: 16px 18px 18px;
  box-shadow: var(--shadow-3);
  > svg:first-child {
    inset-inline-end: 22px;
  }
  > p {
    ${drawnSize('17px', '15.5px')}
    line-height: 1.7;
    margin-block-start: 8px;
    :lang(en) & {
      line-height: 1.55;
    }
  }
  ${({ theme }) => theme.media.phone} {
    padding: 13px 14px 14px;
    > svg:first-child {
      inset-inline-end: 4px;
    }
    > p {
      ${drawnSize('15px', '13.5px')}
      line-height: 1.6;
    }
  }
`;

const First = styled(MiniMessage)`
  inset-block-start: 122px;
  inset-inline-start: 18px;
  inline-size: 284px;
  rotate: 4deg;
  :lang(en) & {
    rotate: -4deg;
  }
  ${({ theme }) => theme.media.narrow} {
    inline-size: 240px;
  }
  ${({ theme }) => theme.media.phone} {
    inset-inline-start: 8px;
    inset-block-start: 94px;
    inline-size: 206px;
  }
`;

const Second = styled(MiniMessage)`
  inset-block-start: 148px;
  inset-inline-end: 16px;
  inline-size: 246px;
  rotate: -5deg;
  :lang(en) & {
    rotate: 5deg;
  }
  ${({ theme }) => theme.media.narrow} {
    inline-size: 210px;
  }
  ${({ theme }) => theme.media.phone} {
    inset-inline-end: 8px;
    inset-block-start: 128px;
    inline-size: 186px;
  }
`;

const Third = styled(MiniMessage)`
  inset-block-start: 282px;
  inset-inline-start: 152px;
  inline-size: 256px;
  padding-block-end: 150px;
  z-index: 1;
  rotate: -1.5deg;
  :lang(en) & {
    rotate: 1.5deg;
  }
  ${({ theme }) => theme.media.narrow} {
    inset-inline-start: calc(50% - 128px);
  }
  ${({ theme }) => theme.media.phone} {
    inset-inline-start: calc(50% - 94px);
    inset-block-start: 236px;
    inline-size: 188px;
    padding-block-end: 84px;
  }
`;

const Sound = styled.div`
  display: flex;
  gap: 14px;
  align-items: center;
  background: var(--sunken);
  ${({ theme }) => theme.bubble.large}
  padding: 8px;
  margin-block-start: 10px;
  > span {
    inline-size: 44px;
    block-size: 44px;
    border-radius: 50%;
    border-end-start-radius: 14%;
    background: var(--violet);
    color: var(--on-violet);
    display: grid;
    place-items: center;
    flex: none;
    svg {
      inline-size: 18px;
      block-size: 18px;
      fill: currentColor;
    }
  }
  > div {
    flex: 1;
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 2px;
    block-size: 36px;
    min-inline-size: 0;
    overflow: hidden;
  }
  ${barHeights}
  time {
    font-size: 14px;
    color: var(--ink-2);
    min-inline-size: 42px;
    text-align: center;
  }
  ${({ theme }) => theme.media.phone} {
    time,
    i:nth-child(n + 24) {
      display: none;
    }
  }
`;

const Bar = styled.i<{ $played: boolean; $head: boolean }>`
  flex: ${({ $head }) => ($head ? 'none' : 1)};
  max-inline-size: ${({ $head }) => ($head ? '12px' : '4px')};
  min-inline-size: ${({ $head }) => ($head ? '12px' : '2px')};
  block-size: ${({ $head }) => ($head ? '12px' : 'auto')};
  border-radius: ${({ $head }) => ($head ? '28%' : '2px')};
  transform: ${({ $head }) => ($head ? 'rotate(45deg)' : 'none')};
  background: ${({ $head, $played }) => ($head ? 'var(--rose-strong)' : $played ? 'var(--violet-text)' : 'color-mix(in srgb, var(--ink-3) 45%, transparent)')};
`;
