import { BellOff, BellRing } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { Button, Callout, Field, Icon, Input, Note, Skeleton, Switch, SwitchRow, useOutcome } from '../../ui/index.js';
import { useFormats, useLanguage, useTranslation } from '../../i18n/index.js';
import { small } from '../../theme/index.js';
import {
  firstQuiet,
  type PushChange,
  type PushSubscription,
  usePush,
  useTestPushSubscriptionMutation,
  useUpdatePushSubscriptionMutation,
} from '../../shared/push/index.js';
import { useChangeNotificationSettingsMutation, useGetNotificationSettingsQuery } from '../notifications/index.js';
import { useKeptState } from '../../shared/session/index.js';
import { DeviceRow, deviceName } from './DeviceRow.js';
import { LoadFailure } from '../../ui/LoadFailure.js';
import { SettingsSection } from './SettingsSection.js';

const KINDS = ['message', 'reply', 'report', 'visits'] as const;

export function NoticeSettings() {
  const { t } = useTranslation();
  const push = usePush();
  const shown = useGetNotificationSettingsQuery();
  const { browsers, own } = push;
  const kinds = shown.data?.kinds;
  const error: unknown = push.error ?? shown.error;
  if (browsers === undefined || kinds === undefined)
    return (
      <SettingsSection title={t('notices.title')} text={t('notices.text')}>
        {error === undefined ? (
          <Skeleton $inline="100%" $block="240px" />
        ) : (
          <LoadFailure
            error={error}
            retrying={push.isFetching || shown.isFetching}
            onRetry={() => {
              if (browsers === undefined) void push.refetch();
              if (kinds === undefined) void shown.refetch();
            }}
          />
        )}
      </SettingsSection>
    );
  return (
    <>
      <SettingsSection title={t('notices.title')} text={t('notices.text')}>
        <Kinds inNajwa={kinds} own={own} />
        {own === undefined && <TurnOn push={push} />}
      </SettingsSection>
      {own !== undefined && <Quiet own={own} />}
      <Devices push={push} browsers={browsers} />
    </>
  );
}

type Push = ReturnType<typeof usePush>;

function TurnOn({ push: { ability, turnOn, isTurningOn } }: { push: Push }) {
  const { t } = useTranslation();
  return ability === 'ready' ? (
    <Off>
      <p>{t('notices.off')}</p>
      <Button variant="primary" busy={isTurningOn ? t('notices.turningOn') : undefined} onClick={() => void turnOn()}>
        <Icon of={BellRing} />
        {t('notices.turnOn')}
      </Button>
    </Off>
  ) : (
    <Callout tone="plain" icon={BellOff} text={t(`notices.${ability}`)} />
  );
}

/** Applies at once, reverts on failure. */
function useChange(id: string) {
  const reportFailure = useReportFailure();
  const [update] = useUpdatePushSubscriptionMutation();
  return async (change: PushChange) => reportFailure((await update({ id, change })).error);
}

function useReportFailure() {
  const { t } = useTranslation();
  const say = useOutcome();
  return (error: unknown) => {
    if (error !== undefined) say.failed(t('notices.saveFailed', { text: say.errors.text(error) }));
  };
}

type KindsChange = Partial<Record<'add' | 'remove', (typeof KINDS)[number][]>>;

function Kinds({ inNajwa, own }: { inNajwa: PushSubscription['kinds']; own: PushSubscription | undefined }) {
  const { t } = useTranslation();
  const [save] = useChangeNotificationSettingsMutation();
  const reportFailure = useReportFailure();
  const change = useChange(own?.id ?? '');
  const columns = [
    {
      title: t('notices.inNajwa'),
      kinds: inNajwa,
      choose: async (kinds: KindsChange) => reportFailure((await save({ kinds })).error),
    },
    ...(own === undefined
      ? []
      : [{ title: t('notices.column'), kinds: own.kinds, choose: (kinds: KindsChange) => change({ kinds }) }]),
  ];
  return (
    <Table>
      <thead>
        <tr>
          <td />
          {columns.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {KINDS.map((kind) => (
          <tr key={kind}>
            <th scope="row">
              {t(`notices.kind.${kind}`)}
              {kind === 'message' && <small>{t('notices.messageHint')}</small>}
            </th>
            {columns.map(({ title, kinds, choose }) => (
              <td key={title}>
                <Switch
                  aria-label={`${t(`notices.kind.${kind}`)} · ${title}`}
                  checked={kinds.includes(kind)}
                  onCheckedChange={(isOn) => void choose({ [isOn ? 'add' : 'remove']: [kind] })}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Such as "Egypt Time", localised. */
function zoneName(timeZone: string, language: string): string {
  try {
    const part = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'shortGeneric' })
      .formatToParts(new Date())
      .find(({ type }) => type === 'timeZoneName');
    return part?.value ?? timeZone;
  } catch {
    // Another device may have chosen a zone unknown here.
    return timeZone;
  }
}

type Hours = NonNullable<PushSubscription['quiet']>;

function Quiet({ own: { id, quiet } }: { own: PushSubscription }) {
  const { t } = useTranslation();
  const { language } = useLanguage();
  const change = useChange(id);
  /** Not saved yet: time fields are empty while typing. */
  const [typed, setTyped] = useKeptState<Hours | null>('quiet', null);
  const [earlier, setEarlier] = useState<Hours | null>(null);
  const here = firstQuiet();
  const hours = typed ?? quiet ?? earlier ?? here;
  const save = (next: Hours) => {
    const isReady = next.from !== '' && next.to !== '' && next.from !== next.to;
    setTyped(isReady ? null : next);
    if (isReady) void change({ quiet: next });
  };
  const keep = (isOn: boolean) => {
    setEarlier(quiet);
    setTyped(null);
    void change({ quiet: isOn ? (earlier ?? here) : null });
  };
  return (
    <SettingsSection title={t('notices.quiet.title')} text={t('notices.quiet.text')}>
      <SwitchRow
        label={t('notices.quiet.keep')}
        hint={t(hours === null ? 'notices.quiet.noZone' : 'notices.quiet.keepHint')}
        checked={quiet !== null}
        pending={false}
        disabled={hours === null}
        onChange={keep}
      />
      {quiet !== null && hours !== null && (
        <HoursRow>
          {(['from', 'to'] as const).map((end) => (
            <Field
              key={end}
              label={t(`notices.quiet.${end}`)}
              error={end === 'to' && hours.from === hours.to ? t('notices.quiet.same') : undefined}
            >
              {(inputProps) => (
                <Input
                  {...inputProps}
                  type="time"
                  value={hours[end]}
                  onChange={(event) =>
                    save({ ...hours, [end]: event.target.value, timeZone: (here ?? hours).timeZone })
                  }
                />
              )}
            </Field>
          ))}
          <p>{zoneName(hours.timeZone, language)}</p>
        </HoursRow>
      )}
    </SettingsSection>
  );
}

function Devices({ push, browsers }: { push: Push; browsers: PushSubscription[] }) {
  const { t } = useTranslation();
  const say = useOutcome();
  const { date } = useFormats();
  const [sendTest, { isLoading: isTesting }] = useTestPushSubscriptionMutation();
  const { own, stop, stopping } = push;

  const report = (done: string, fault: unknown) => {
    if (fault === undefined) say.done(done);
    else say.failed(t('notices.saveFailed', { text: say.errors.text(fault) }));
  };
  const test = async (id: string) => {
    const { error } = await sendTest(id);
    report(t('notices.devices.tested'), error);
  };
  const end = async (id: string) => report(t('notices.devices.stopped'), await stop(id));

  return (
    <SettingsSection title={t('notices.devices.title')}>
      {browsers.length === 0 ? (
        <Note>{t('notices.devices.none')}</Note>
      ) : (
        <ul>
          {[...browsers]
            .sort((a, b) => Number(b.id === own?.id) - Number(a.id === own?.id))
            .map((browser) => {
              const name = browser.id === own?.id ? t('notices.devices.own') : deviceName(browser.device, t);
              return (
                <DeviceRow
                  key={browser.id}
                  device={browser.device}
                  title={name}
                  text={t('notices.devices.since', { date: date(browser.createdAt) })}
                  testId="told-device"
                >
                  <Buttons>
                    {browser.id === own?.id && (
                      <Button
                        size="sm"
                        busy={isTesting ? t('notices.devices.testing') : undefined}
                        onClick={() => void test(browser.id)}
                      >
                        {t('notices.devices.test')}
                      </Button>
                    )}
                    <Button
                      size="sm"
                      variant="dangerGhost"
                      aria-label={t('notices.devices.stopOf', { device: name })}
                      busy={stopping === browser.id ? t('notices.devices.stopping') : undefined}
                      onClick={() => void end(browser.id)}
                    >
                      {t('notices.devices.stop')}
                    </Button>
                  </Buttons>
                </DeviceRow>
              );
            })}
        </ul>
      )}
    </SettingsSection>
  );
}

const Off = styled.div`
  display: grid;
  gap: 14px;
  justify-items: start;
  color: var(--ink-2);
  /* Large texts need several lines. */
  > button {
    white-space: normal;
  }
`;

const Table = styled.table`
  inline-size: 100%;
  table-layout: fixed;
  border-collapse: collapse;
  thead th {
    padding-block-end: 8px;
    color: var(--ink-2);
    font-weight: 500;
    text-align: end;
    ${small}
  }
  :is(th + th, td + th) {
    inline-size: 96px;
    ${({ theme }) => theme.media.phone} {
      inline-size: max(72px, 2.75rem);
    }
  }
  tbody th {
    block-size: 60px;
    padding-block: 8px;
    padding-inline-end: 16px;
    text-align: start;
    font-weight: 500;
    line-height: 1.5;
  }
  tbody td {
    text-align: end;
    > button {
      vertical-align: middle;
    }
  }
  tbody tr {
    border-block-start: 1px solid var(--line);
  }
  small {
    display: block;
    color: var(--ink-3);
    font-weight: 400;
    ${small}
  }
`;

const HoursRow = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 12px;
  align-items: flex-start;
  input {
    inline-size: 156px;
  }
  > p {
    align-self: center;
    color: var(--ink-3);
    ${small}
  }
`;

const Buttons = styled.div`
  display: flex;
  gap: 8px;
  ${({ theme }) => theme.media.phone} {
    flex-direction: column;
  }
`;
