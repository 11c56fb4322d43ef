import { styled } from 'styled-components';
import { useTexts, useTranslation } from '../../i18n/index.js';
import { small, textSize } from '../../theme/index.js';
import type { Unsent } from './types.js';

const TEXTS = ['site'] as const;

/** The browser keeps the choice, so that the form has it without scripts, too (`isForLater`). */
export function FormFoot({ unsent }: { unsent: Unsent | undefined }) {
  const { t } = useTranslation();
  useTexts(TEXTS);
  return (
    <>
      <Choice>
        <input type="checkbox" name="later" value="true" defaultChecked={unsent?.isLater} />
        {t('site.form.later')}
      </Choice>
      <PlainNote data-no-scripts>{t('site.form.plain')}</PlainNote>
    </>
  );
}

const Choice = styled.label`
  display: flex;
  gap: 8px;
  align-items: center;
  inline-size: fit-content;
  min-block-size: 44px;
  margin-inline-start: auto;
  margin-block-end: -12px;
  color: var(--ink-2);
  cursor: pointer;
  ${textSize('15.5px', '14px')}
  input {
    inline-size: 20px;
    block-size: 20px;
    accent-color: var(--violet);
  }
`;

const PlainNote = styled.p`
  margin-block-start: 12px;
  color: var(--ink-2);
  ${small}
`;
