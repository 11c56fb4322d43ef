import { type LucideIcon, Monitor, MonitorSmartphone, Smartphone, Tablet } from 'lucide-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { styled } from 'styled-components';
import { useState } from 'react';
import { Badge, Button, ConfirmDialog, Icon, Skeleton, Stack, useToast } from '../../components/index.js';
import { useTimes } from '../../i18n/index.js';
import { semibold, small, textSize } from '../../theme/index.js';
import { isApiError } from '../../app/api-error.js';
import { useErrorText } from '../../app/use-error-text.js';
import { type Session, useEndOtherSessionsMutation, useEndSessionMutation, useGetSessionsQuery } from './api.js';
import { SettingsSection } from './SettingsSection.js';

const ICONS: Record<string, LucideIcon> = { desktop: Monitor, mobile: Smartphone, tablet: Tablet };

function deviceName({ browser, operatingSystem: system }: Session['device'], t: TFunction): string {
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
  const device = deviceName(session.device, t);
  return (
    <Row data-testid="session">
      <DeviceIcon>
        <Icon of={ICONS[session.device.kind] ?? MonitorSmartphone} />
      </DeviceIcon>
      <Details>
        <b>{device}</b>
        <p>{times.lastSeen(session.lastSeen)}</p>
      </Details>
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

const DeviceIcon = styled.span`
  display: grid;
  place-items: center;
  inline-size: 44px;
  block-size: 44px;
  flex: none;
  background: var(--sunken);
  color: var(--ink-2);
  ${({ theme }) => theme.bubble.control}
`;

const Details = styled.div`
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

const hasEnded = (error: unknown) => isApiError(error) && error.code === 'session_not_found';

/** The account's sessions, with buttons to end them. */
export function SessionList() {
  const { t } = useTranslation();
  const toast = useToast();
  const errors = useErrorText();
  const { data: sessions, error, refetch, isFetching } = useGetSessionsQuery();
  const [end, ending] = useEndSessionMutation();
  const [endOthers, endingOthers] = useEndOtherSessionsMutation();
  const [confirming, setConfirming] = useState(false);
  const others = sessions?.filter(({ isCurrent }) => !isCurrent) ?? [];
  const own = sessions?.filter(({ isCurrent }) => isCurrent) ?? [];
  const busy = ending.isLoading || endingOthers.isLoading;

  const report = (done: string, fault?: unknown) => {
    if (fault === undefined) toast({ variant: 'success', title: done });
    else toast({ variant: 'destructive', title: t('settings.sessions.failed'), text: errors.text(fault) });
  };

  const endOne = async (id: string) => {
    const { error: fault } = await end(id);
    report(t('settings.sessions.ended'), hasEnded(fault) ? undefined : fault);
  };

  const endAllOthers = async () => {
    const { error: fault } = await endOthers();
    setConfirming(false);
    report(t('settings.sessions.othersEnded'), fault);
  };

  return (
    <SettingsSection title={t('settings.sessions.title')} text={t('settings.sessions.text')}>
      {sessions === undefined && error === undefined && <Loading />}
      {sessions === undefined && error !== undefined && (
        <Stack>
          <p role="alert">{t('common.failure.load', { text: errors.text(error) })}</p>
          <div>
            <Button disabled={isFetching} onClick={() => void refetch()}>
              {t('common.action.retry')}
            </Button>
          </div>
        </Stack>
      )}
      {sessions !== undefined && (
        <Stack>
          <List>
            {[...own, ...others].map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                disabled={busy}
                ending={ending.isLoading && ending.originalArgs === session.id}
                onEnd={() => void endOne(session.id)}
              />
            ))}
          </List>
          {others.length > 0 && (
            <div>
              <Button
                disabled={busy}
                onClick={() => {
                  setConfirming(true);
                }}
              >
                {t('settings.sessions.endOthers')}
              </Button>
            </div>
          )}
        </Stack>
      )}
      <ConfirmDialog
        open={confirming}
        title={t('settings.sessions.endOthersTitle')}
        text={t('settings.sessions.endOthersText')}
        confirm={t('settings.sessions.endOthers')}
        busy={endingOthers.isLoading ? t('settings.sessions.ending') : undefined}
        onConfirm={() => void endAllOthers()}
        onCancel={() => {
          setConfirming(false);
        }}
      />
    </SettingsSection>
  );
}

function Loading() {
  return (
    <Stack aria-hidden="true">
      <Skeleton $inline="100%" $block="44px" />
      <Skeleton $inline="100%" $block="44px" />
    </Stack>
  );
}

const List = styled.ul`
  display: grid;
`;
