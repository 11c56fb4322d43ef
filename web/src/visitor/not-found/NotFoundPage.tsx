import { useEffect, useState } from 'react';
import { styled } from 'styled-components';
import { BOWL, ButtonLink, DOTS, Glyph, StatusDot, Container } from '../../ui/index.js';
import { useDocumentTitle, useFormats, useTranslation } from '../../i18n/index.js';
import { headline, textSize } from '../../theme/index.js';

const SECONDS = 3;
const DOT_STEPS = [3, 2, 1] as const;

interface Props {
  /** A full load, which also clears a broken state. */
  goHome?: () => void;
}

export function NotFoundPage({ goHome = loadHome }: Props) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const [secondsLeft, setSecondsLeft] = useState(SECONDS);
  useDocumentTitle(t('notFound.title'));

  useEffect(() => {
    const timer = setTimeout(() => {
      if (secondsLeft === 1) goHome();
      else setSecondsLeft(secondsLeft - 1);
    }, 1000);
    return () => clearTimeout(timer);
  }, [secondsLeft, goHome]);

  const [before, emphasis, after] = t('notFound.leaving', { count: secondsLeft }).split(/<\/?n>/);
  const dots = DOT_STEPS[SECONDS - secondsLeft] ?? 1;
  return (
    <Page>
      <Text>
        <Tagline>
          <StatusDot $colour="var(--rose)" />
          <bdi>{number(404)}</bdi>
        </Tagline>
        <h1>{t('notFound.title')}</h1>
        <Countdown role="timer" data-scripts>
          {before}
          <strong>{emphasis}</strong>
          {after}
        </Countdown>
        <div>
          <ButtonLink
            to="/"
            variant="primary"
            size="lg"
            onClick={(event) => {
              event.preventDefault();
              goHome();
            }}
          >
            {t('common.action.backHome')}
          </ButtonLink>
        </div>
      </Text>
      <Art>
        <svg viewBox="0 0 64 64" aria-hidden="true">
          <path fill="var(--hero-bowl)" d={BOWL} />
          <path fill="var(--rose)" d={DOTS[dots]} />
        </svg>
        <ol aria-hidden="true">
          {DOT_STEPS.map((count) => (
            <Step key={count} $on={count === dots}>
              <Glyph dots={count} />
            </Step>
          ))}
        </ol>
      </Art>
    </Page>
  );
}

function loadHome() {
  window.location.assign('/');
}

const Page = styled(Container)`
  display: grid;
  grid-template-columns: 1fr 480px;
  gap: 48px;
  align-items: center;
  padding-block: 40px;
  ${({ theme }) => theme.media.stacked} {
    grid-template-columns: minmax(0, 1fr);
  }
  ${({ theme }) => theme.media.phone} {
    gap: 32px;
    padding-block: 20px 40px;
  }
`;

const Text = styled.div`
  display: grid;
  gap: 20px;
  h1 {
    ${headline('68px', '64px', 1.25, 1.08, -0.028)}
  }
  ${({ theme }) => theme.media.phone} {
    h1 {
      ${textSize('42px', '42px')}
    }
  }
`;

const Tagline = styled.p`
  display: inline-flex;
  align-items: center;
  gap: 12px;
  font-weight: 500;
  color: var(--ink-2);
`;

const Countdown = styled.p`
  ${textSize('21px', '19px')}
  line-height: 1.8;
  color: var(--ink-2);
  strong {
    color: var(--violet-text);
    font-variant-numeric: tabular-nums;
  }
  :lang(en) & {
    line-height: 1.6;
  }
  ${({ theme }) => theme.media.phone} {
    ${textSize('18.5px', '17px')}
  }
`;

const Art = styled.div`
  background: var(--hero);
  ${({ theme }) => theme.bubble.stage}
  padding: 56px 56px 32px;
  display: grid;
  gap: 36px;
  justify-items: center;
  > svg {
    inline-size: 320px;
  }
  ol {
    display: flex;
    gap: 28px;
  }
  ${({ theme }) => theme.media.phone} {
    padding: 36px 24px 24px;
    border-radius: 36px;
    border-end-start-radius: 10px;
    > svg {
      inline-size: 180px;
    }
  }
`;

const Step = styled.li<{ $on: boolean }>`
  svg {
    inline-size: 34px;
    block-size: 34px;
    color: var(--ink);
    opacity: ${({ $on }) => ($on ? 1 : 0.35)};
  }
`;
