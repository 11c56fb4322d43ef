import { styled } from 'styled-components';
import { useState } from 'react';
import { Badge, Button, ConfirmDialog, Skeleton, Stack, useOutcome } from '../../ui/index.js';
import { useTimes, useTranslation } from '../../i18n/index.js';
import { isApiError } from '../../api/api-error.js';
import { LoadFailure } from '../../ui/LoadFailure.js';
import { type Session, useEndOtherSessionsMutation, useEndSessionMutation, useGetSessionsQuery } from './api.js';
import { DeviceRow, deviceName } from './DeviceRow.js';
import { SettingsSection } from './SettingsSection.js';

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
    <DeviceRow device={session.device} title={device} text={times.lastSeen(session.lastSeen)} testId="session">
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
    </DeviceRow>
  );
}

const hasEnded = (error: unknown) => isApiError(error) && error.code === 'session_not_found';

export function SessionList() {
  const { t } = useTranslation();
  const say = useOutcome();
  const { data: sessions, error, refetch, isFetching } = useGetSessionsQuery();
  const [end, ending] = useEndSessionMutation();
  const [endOthers, endingOthers] = useEndOtherSessionsMutation();
  const [confirming, setConfirming] = useState(false);
  const others = sessions?.filter(({ isCurrent }) => !isCurrent) ?? [];
  const own = sessions?.filter(({ isCurrent }) => isCurrent) ?? [];
  const busy = ending.isLoading || endingOthers.isLoading;

  const report = (done: string, fault?: unknown) => {
    if (fault === undefined) say.done(done);
    else say.failed(t('settings.sessions.failed'), fault);
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
        <LoadFailure error={error} retrying={isFetching} onRetry={() => void refetch()} />
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
              <Button disabled={busy} onClick={() => setConfirming(true)}>
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
        onCancel={() => setConfirming(false)}
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
