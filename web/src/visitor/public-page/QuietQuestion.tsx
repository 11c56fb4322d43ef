import { MessageCircle } from 'lucide-react';
import { styled } from 'styled-components';
import { Button, Callout } from '../../ui/index.js';
import { useTexts, useTranslation } from '../../i18n/index.js';

const TEXTS = ['closed'] as const;

/** Shown once before a hurtful text is sent. It prevents nothing. */
export function QuietQuestion({ onReword }: { onReword: () => void }) {
  useTexts(TEXTS);
  const { t } = useTranslation();
  return (
    <Question role="status">
      <Callout tone="gold" icon={MessageCircle} title={t('closed.question')} text={t('closed.questionText')}>
        <Button size="sm" onClick={onReword}>
          {t('closed.reword')}
        </Button>
      </Callout>
    </Question>
  );
}

const Question = styled.div`
  margin-block-start: 14px;
`;
