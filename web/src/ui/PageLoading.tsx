import { useTranslation } from '../i18n/index.js';
import { keyframes, styled } from 'styled-components';
import { Glyph } from './Glyph.js';
import { Spoken } from './Spoken.js';

/** Delayed, so that quick loads show none. */
export function PageLoading({ label }: { label?: string }) {
  const { t } = useTranslation();
  return (
    <Page role="status">
      <Bowl dots={3} />
      {label === undefined ? <Spoken>{t('common.action.loading')}</Spoken> : <p>{label}</p>}
    </Page>
  );
}

const delay = keyframes`
  from { visibility: hidden; }
`;

/* Screen height, so that the footer does not move when the content arrives. */
const Page = styled.div`
  display: grid;
  place-items: center;
  align-content: start;
  gap: 14px;
  min-block-size: 100vh;
  padding-block-start: calc(25vh - 28px);
  color: var(--ink-2);
  animation: ${delay} 300ms step-end;
`;

const Bowl = styled(Glyph)`
  inline-size: 56px;
  block-size: 56px;
  color: var(--violet);
`;
