import { styled } from 'styled-components';
import { ProgressBar, ProgressPanel } from '../../ui/index.js';
import { useTexts, useTranslation } from '../../i18n/index.js';
import { small } from '../../theme/index.js';

const TEXTS = ['closed'] as const;

export function ShortCheck({ percent }: { percent: number }) {
  useTexts(TEXTS);
  const { t } = useTranslation();
  return (
    <Check role="status">
      <ProgressPanel>
        <b>{t('closed.check')}</b>
        <p>{t('closed.checkText')}</p>
        <ProgressBar label={t('closed.check')} percent={percent} />
      </ProgressPanel>
    </Check>
  );
}

const Check = styled.div`
  margin-block-start: 14px;
  p {
    color: var(--ink-2);
    ${small}
  }
`;
