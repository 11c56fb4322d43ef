import { Mic } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Dots, Icon } from '../../components/index.js';
import { Panel, PanelText, PanelTitle, RecordButton } from './recorder-parts.js';

export function IdlePanel({ starting, onStart }: { starting: boolean; onStart: () => void }) {
  const { t } = useTranslation();
  return (
    <Panel data-testid="recorder" data-state="idle">
      <RecordButton
        type="button"
        data-lands
        aria-label={t('recorder.start')}
        aria-busy={starting || undefined}
        aria-disabled={starting || undefined}
        onClick={starting ? undefined : onStart}
      >
        {starting ? <Dots /> : <Icon of={Mic} size="lg" />}
      </RecordButton>
      <div>
        <PanelTitle>{t('recorder.title')}</PanelTitle>
        <PanelText>{t('recorder.text')}</PanelText>
      </div>
    </Panel>
  );
}
