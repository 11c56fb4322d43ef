import { buildRequest } from '@najwa/proto/http/client';
import { Download, FileArchive } from 'lucide-react';
import { styled } from 'styled-components';
import { useErrorText } from '../../app/use-error-text.js';
import { Button, Icon, Stack, useToast } from '../../components/index.js';
import { useFormats, useLanguage, useTranslation } from '../../i18n/index.js';
import { small } from '../../theme/index.js';
import { useCreateExportMutation } from './data-api.js';
import { SettingsSection } from './SettingsSection.js';

export const EXPORT_ID = 'take-your-data';

/** A file with everything of the account. */
export function ExportSection() {
  const { t } = useTranslation();
  const { language } = useLanguage();
  const { dateTime } = useFormats();
  const toast = useToast();
  const errors = useErrorText();
  const [create, { data: made, isLoading }] = useCreateExportMutation();

  const onGather = async () => {
    try {
      await create().unwrap();
    } catch (error) {
      toast({ variant: 'destructive', title: t('data.export.failed'), text: errors.text(error) });
    }
  };

  /** The browser follows the download, so the page may be left. */
  const download = (id: number) => {
    const link = document.createElement('a');
    link.href = `/api${buildRequest('getExportFile', { params: { id }, query: { language } }).url}`;
    link.download = '';
    link.click();
  };

  return (
    <SettingsSection id={EXPORT_ID} title={t('data.export.title')} text={t('data.export.text')}>
      <Stack>
        <div role="status">
          {made !== undefined && (
            <Ready>
              <Shape>
                <Icon of={FileArchive} />
              </Shape>
              <div>
                <b>{t('data.export.ready')}</b>
                <small>{t('data.export.removed', { time: dateTime(made.expiresAt) })}</small>
              </div>
              <Button
                variant="primary"
                onClick={() => {
                  download(made.id);
                }}
              >
                <Icon of={Download} />
                {t('data.export.download')}
              </Button>
            </Ready>
          )}
        </div>
        <div>
          <Button busy={isLoading ? t('data.export.gathering') : undefined} onClick={() => void onGather()}>
            <Icon of={FileArchive} />
            {t('data.export.gather')}
          </Button>
        </div>
      </Stack>
    </SettingsSection>
  );
}

const Ready = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 14px;
  > div {
    flex: 1 1 200px;
    display: grid;
  }
  small {
    color: var(--ink-2);
    ${small}
  }
`;

const Shape = styled.span`
  display: grid;
  place-items: center;
  inline-size: 44px;
  block-size: 44px;
  ${({ theme }) => theme.bubble.control}
  background: var(--mint-tint);
  color: var(--on-mint-tint);
`;
