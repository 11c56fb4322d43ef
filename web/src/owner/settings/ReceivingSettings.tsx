import { Skeleton, SwitchRow, useOutcome } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { BlockList } from './BlockList.js';
import { FilterSettings } from './FilterSettings.js';
import { OwnReports } from './OwnReports.js';
import { LoadFailure } from '../../ui/LoadFailure.js';
import { ReceivingForm } from './ReceivingForm.js';
import {
  type ReceivingSettings as Settings,
  useGetReceivingQuery,
  useUpdateReceivingMutation,
} from '../../shared/receiving/index.js';
import { SettingsSection } from './SettingsSection.js';

export function ReceivingSettings() {
  const { t } = useTranslation();
  const { data: settings, error, refetch, isFetching } = useGetReceivingQuery();
  if (settings === undefined)
    return (
      <SettingsSection title={t('receiving.title')} text={t('receiving.text')}>
        {error === undefined ? (
          <Skeleton $inline="100%" $block="240px" />
        ) : (
          <LoadFailure error={error} retrying={isFetching} onRetry={() => void refetch()} />
        )}
      </SettingsSection>
    );
  return (
    <>
      <ReceivingForm settings={settings} />
      <Switches settings={settings} />
      <FilterSettings />
      <BlockList />
      <OwnReports />
    </>
  );
}

function Switches({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const say = useOutcome();
  const [update, { isLoading, originalArgs }] = useUpdateReceivingMutation();
  const change = async (body: Partial<Pick<Settings, 'presence' | 'readReceipts' | 'conversations'>>) => {
    const { error } = await update(body);
    if (error !== undefined) say.failed(t('receiving.failed', { text: say.errors.text(error) }));
  };
  const isPending = (name: keyof Settings) => isLoading && originalArgs !== undefined && name in originalArgs;
  return (
    <>
      <SettingsSection title={t('receiving.conversations.title')}>
        <SwitchRow
          label={t('receiving.conversations.label')}
          hint={t('receiving.conversations.hint')}
          checked={settings.conversations}
          pending={isPending('conversations')}
          onChange={(conversations) => void change({ conversations })}
        />
      </SettingsSection>
      <SettingsSection title={t('receiving.shown.title')}>
        <div>
          <SwitchRow
            label={t('receiving.shown.presence')}
            hint={t('receiving.shown.presenceHint')}
            checked={settings.presence === 'coarse'}
            pending={isPending('presence')}
            onChange={(isShown) => void change({ presence: isShown ? 'coarse' : 'hidden' })}
          />
          <SwitchRow
            label={t('receiving.shown.readReceipts')}
            hint={t('receiving.shown.readReceiptsHint')}
            checked={settings.readReceipts}
            pending={isPending('readReceipts')}
            onChange={(readReceipts) => void change({ readReceipts })}
          />
        </div>
      </SettingsSection>
    </>
  );
}
