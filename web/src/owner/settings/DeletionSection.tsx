import { LIMITS } from '@najwa/proto/http/client';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { Button, Icon, StatusDot, useToast } from '../../ui/index.js';
import { useFormats, useNow, useTranslation } from '../../i18n/index.js';
import { PasswordDialog } from '../../shared/credentials/index.js';
import { useRequestDeletionMutation } from './data-api.js';
import { EXPORT_ID } from './ExportSection.js';
import { SettingsSection } from './SettingsSection.js';

const DAY_MS = 24 * 60 * 60 * 1000;

export function DeletionSection({ username }: { username: string }) {
  const { t } = useTranslation();
  const { date } = useFormats();
  const now = useNow();
  const toast = useToast();
  const [requestDeletion] = useRequestDeletionMutation();
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const until = date(new Date(now + LIMITS.deletionDays * DAY_MS).toISOString());

  return (
    <SettingsSection title={t('data.deletion.title')} text={t('data.deletion.text')}>
      <div>
        <OpenButton variant="dangerGhost" onClick={() => setAsking(true)}>
          <Icon of={Trash2} />
          {t('data.deletion.open')}
        </OpenButton>
      </div>
      <PasswordDialog
        open={asking}
        onClose={close}
        title={t('data.deletion.ask')}
        text={t('data.deletion.askText')}
        submit={t('data.deletion.submit')}
        danger
        username={username}
        onSubmit={async (password) => {
          const { deletesAt } = await requestDeletion({ password }).unwrap();
          close();
          toast({ title: t('data.deletion.closed'), text: t('data.deletion.closedText', { date: date(deletesAt) }) });
        }}
      >
        <Steps>
          {[
            t('data.deletion.now'),
            t('data.deletion.until', { date: until }),
            t('data.deletion.after'),
            t('data.deletion.sent'),
          ].map((step) => (
            <li key={step}>
              <StatusDot $size={8} $colour="var(--violet)" />
              <span>{step}</span>
            </li>
          ))}
        </Steps>
        <DataLink href={`#${EXPORT_ID}`} onClick={() => close()}>
          {t('data.deletion.takeFirst')}
        </DataLink>
      </PasswordDialog>
    </SettingsSection>
  );
}

const DataLink = styled.a`
  justify-self: start;
  color: var(--violet-text);
  text-decoration: underline;
  text-underline-offset: 3px;
  padding-block: 10px;
`;

const OpenButton = styled(Button)`
  margin-inline-start: -20px;
`;

const Steps = styled.ul`
  display: grid;
  gap: 8px;
  li {
    display: flex;
    gap: 12px;
  }
  li > :first-child {
    margin-block-start: 0.55em;
  }
`;
