import { type Answer, buildRequest } from '@najwa/proto/http/client';
import { Download, FileArchive } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { styled } from 'styled-components';
import { isApiError } from '../../api/api-error.js';
import { FACTS_GAP, Button, Icon, ProgressBar, ProgressPanel, Stack, useOutcome, Row } from '../../ui/index.js';
import { useFormats, useLanguage, useNow, useTranslation } from '../../i18n/index.js';
import { small } from '../../theme/index.js';
import { useCreateExportMutation, useListExportsQuery } from './data-api.js';
import { SettingsSection } from './SettingsSection.js';

export const EXPORT_ID = 'take-your-data';

const HOUR_MS = 60 * 60 * 1000;

/** Polling interval in milliseconds. A failed export is retried after longer pauses. */
const POLLING = { gathering: 2_000, failed: 30_000, ready: 0 } as const;

type AccountExport = Answer<'createExport'>;

export function ExportSection() {
  const { t } = useTranslation();
  const { language } = useLanguage();
  const say = useOutcome();
  const [create, { isLoading }] = useCreateExportMutation();
  const [pollingInterval, setPolling] = useState<number>(0);
  const { data: [latest] = [] } = useListExportsQuery(undefined, { pollingInterval });
  const wanted = latest === undefined ? 0 : POLLING[latest.status];
  if (pollingInterval !== wanted) setPolling(wanted);

  const onGather = async () => {
    try {
      await create(language).unwrap();
    } catch (error) {
      if (isApiError(error) && error.code === 'export_running')
        say.toast({ title: t('data.export.running'), text: t('data.export.runningText') });
      else say.failed(t('data.export.failed'), error);
    }
  };

  return (
    <SettingsSection id={EXPORT_ID} title={t('data.export.title')} text={t('data.export.text')}>
      <Stack>
        {latest?.status === 'gathering' && <Gathering progress={latest.progress} />}
        <div role="status">{latest !== undefined && <Outcome latest={latest} />}</div>
        {latest?.status !== 'gathering' && (
          <div>
            <Button busy={isLoading ? t('data.export.asking') : undefined} onClick={() => void onGather()}>
              <Icon of={FileArchive} />
              {t('data.export.gather')}
            </Button>
          </div>
        )}
      </Stack>
    </SettingsSection>
  );
}

function Gathering({ progress }: { progress: number }) {
  const { t } = useTranslation();
  const text = t('data.export.gathering', { progress });
  return (
    <ProgressPanel>
      <b>{text}</b>
      <ProgressBar label={text} percent={progress} />
      <Note>{t('data.export.leave')}</Note>
    </ProgressPanel>
  );
}

function Outcome({ latest: { id, status, size, expiresAt } }: { latest: AccountExport }) {
  const { t } = useTranslation();
  const { megabytes } = useFormats();
  const left = Date.parse(expiresAt) - useNow();

  /** The browser handles the download, so the page may be left. */
  const download = () => {
    const link = document.createElement('a');
    link.href = `/api${buildRequest('getExportFile', { params: { id } }).url}`;
    link.download = '';
    link.click();
  };

  if (left <= 0) return <Report title={t('data.export.expired')} text={t('data.export.expiredText')} />;
  if (status === 'failed') return <Report title={t('data.export.failed')} text={t('data.export.failedText')} />;
  if (status === 'gathering') return null;
  return (
    <Report
      title={t('data.export.ready')}
      text={
        <>
          <bdi dir="ltr">najwa-{id}.zip</bdi>
          {FACTS_GAP}
          {size !== undefined && `${megabytes(size)}${FACTS_GAP}`}
          {t('data.export.removed', { count: Math.max(1, Math.round(left / HOUR_MS)) })}
        </>
      }
      action={
        <Button variant="primary" onClick={download}>
          <Icon of={Download} />
          {t('data.export.download')}
        </Button>
      }
    />
  );
}

function Report({ title, text, action }: { title: string; text: ReactNode; action?: ReactNode }) {
  return (
    <Line $gap={14}>
      <Shape $good={action !== undefined}>
        <Icon of={FileArchive} />
      </Shape>
      <div>
        <b>{title}</b>
        <Note>{text}</Note>
      </div>
      {action}
    </Line>
  );
}

const Note = styled.small`
  display: block;
  color: var(--ink-2);
  ${small}
`;

const Line = styled(Row)`
  > div {
    flex: 1 1 200px;
    display: grid;
  }
  ${({ theme }) => theme.media.phone} {
    > button {
      inline-size: 100%;
    }
  }
`;

const Shape = styled.span<{ $good: boolean }>`
  display: grid;
  place-items: center;
  inline-size: 44px;
  block-size: 44px;
  ${({ theme }) => theme.bubble.control}
  background: ${({ $good }) => ($good ? 'var(--mint-tint)' : 'var(--gold-tint)')};
  color: ${({ $good }) => ($good ? 'var(--on-mint-tint)' : 'var(--on-gold-tint)')};
`;
