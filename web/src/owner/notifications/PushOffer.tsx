import { BellOff, BellRing } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { Button, Callout, Icon } from '../../ui/index.js';
import { useTexts, useTranslation } from '../../i18n/index.js';
import { textSize } from '../../theme/index.js';
import { isResting, keptSubscription, rest } from '../../lib/push-subscriptions.js';
import { usePush } from '../../shared/push/index.js';

const TEXTS = ['notices'] as const;

interface Props {
  isDue: boolean;
}

/** Offers push, or explains that the browser blocks it. Usually renders nothing. */
export function PushOffer({ isDue }: Props) {
  useTexts(TEXTS);
  const { t } = useTranslation();
  const [isRested, setIsRested] = useState(isResting);
  const { browsers, own, ability, turnOn, isTurningOn } = usePush();
  const [isRefused, setIsRefused] = useState(false);

  if (ability === 'blocked' && (isRefused || keptSubscription() !== null))
    return (
      <Blocked>
        <Callout tone="plain" icon={BellOff} text={t('notices.blocked')} />
      </Blocked>
    );
  if (!isDue || isRested || ability !== 'ready' || browsers === undefined || own !== undefined) return null;
  return (
    <Offer aria-labelledby="push-offer">
      <h3 id="push-offer">{t('notices.ask')}</h3>
      <p>{t('notices.askText')}</p>
      <div>
        <Button
          variant="primary"
          busy={isTurningOn ? t('notices.turningOn') : undefined}
          onClick={() => {
            setIsRefused(true);
            void turnOn();
          }}
        >
          <Icon of={BellRing} />
          {t('notices.yes')}
        </Button>
        <Button
          variant="ghost"
          onClick={() => {
            rest();
            setIsRested(true);
          }}
        >
          {t('notices.notNow')}
        </Button>
      </div>
    </Offer>
  );
}

const Blocked = styled.div`
  margin: 4px 12px 14px;
`;

const Offer = styled.section`
  display: grid;
  gap: 8px;
  margin: 4px 12px 14px;
  padding: 18px;
  background: var(--violet-tint);
  border-radius: 20px;
  border-end-start-radius: 6px;
  h3 {
    ${textSize('18px', '16px')}
  }
  p {
    color: var(--ink-2);
    line-height: 1.6;
    ${textSize('16px', '14px')}
  }
  > div {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin-block-start: 6px;
  }
`;
