import { styled } from 'styled-components';
import type { ApiError } from '../../api/api-error.js';
import { useErrorText } from '../../api/use-error-text.js';
import { FACTS_GAP, FieldError } from '../../ui/index.js';
import { useTexts, useTranslation } from '../../i18n/index.js';
import type { Unsent } from './types.js';

const TEXTS = ['site'] as const;

export function UnsentNotice({ id, error }: { id: string; error: Unsent['error'] }) {
  useTexts(TEXTS);
  const { t } = useTranslation();
  const errors = useErrorText();
  const refusal: ApiError = { fields: {}, proof: null, ...error };
  const reason = error.code === 'proof_required' ? t('site.form.proof') : errors.text(refusal);
  return (
    <Notice data-testid="unsent">
      <FieldError id={id}>
        <span>
          <b>{t('site.form.unsent')}</b>
          {`${FACTS_GAP}${reason}${FACTS_GAP}${t('site.form.kept')}`}
        </span>
      </FieldError>
    </Notice>
  );
}

const Notice = styled.div`
  margin-block-start: 10px;
  svg {
    flex: none;
  }
`;
