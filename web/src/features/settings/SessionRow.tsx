import { Monitor, MonitorSmartphone, Smartphone, Tablet, type LucideIcon } from 'lucide-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { styled } from 'styled-components';
import { Badge, Button, Icon } from '../../components/index.js';
import { useTimes } from '../../i18n/index.js';
import { semibold, small, textSize } from '../../theme/index.js';
import type { Session } from './api.js';

const ICONS: Record<string, LucideIcon> = { desktop: Monitor, mobile: Smartphone, tablet: Tablet };

function nameOf({ browser, operatingSystem: system }: Session['device'], t: TFunction): string {
  if (browser !== '' && system !== '') return t('settings.sessions.device', { browser, system });
  return browser || system || t('settings.sessions.unknown');
}

interface Props {
  session: Session;
  ending: boolean;
  disabled: boolean;
  onEnd: () => void;
}

export function SessionRow({ session, ending, disabled, onEnd }: Props) {
  const { t } = useTranslation();
  const times = useTimes();
  const device = nameOf(session.device, t);
  return (
    <Row data-testid="session">
      <Kind>
        <Icon of={ICONS[session.device.kind] ?? MonitorSmartphone} />
      </Kind>
      <What>
        <b>{device}</b>
        <p>{times.lastSeen(session.lastSeen)}</p>
      </What>
      {session.isCurrent ? (
        <Badge $tone="mint">{t('settings.sessions.current')}</Badge>
      ) : (
        <Button
          size="sm"
          aria-label={t('settings.sessions.endOf', { device })}
          disabled={disabled}
          busy={ending ? t('settings.sessions.ending') : undefined}
          onClick={onEnd}
        >
          {t('settings.sessions.end')}
        </Button>
      )}
    </Row>
  );
}

const Row = styled.li`
  display: flex;
  align-items: center;
  gap: 14px;
  padding-block: 12px;
  border-block-start: 1px solid var(--line);
  &:first-child {
    border: 0;
    padding-block-start: 0;
  }
`;

const Kind = styled.span`
  display: grid;
  place-items: center;
  inline-size: 44px;
  block-size: 44px;
  flex: none;
  background: var(--sunken);
  color: var(--ink-2);
  ${({ theme }) => theme.bubble.control}
`;

const What = styled.div`
  flex: 1;
  min-inline-size: 0;
  b {
    display: block;
    ${semibold}
    ${textSize('17px', '15px')}
    line-height: 1.5;
    overflow-wrap: anywhere;
  }
  p {
    color: var(--ink-3);
    ${small}
  }
`;
