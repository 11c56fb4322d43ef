import { styled } from 'styled-components';
import { Card } from '../../components/index.js';
import { useTranslation } from '../../i18n/index.js';
import { textSize } from '../../theme/index.js';

export function BioCard({ bio }: { bio: string }) {
  const { t } = useTranslation();
  return (
    <Bio aria-labelledby="bio-title">
      <h2 id="bio-title">{t('publicPage.bio')}</h2>
      <p dir="auto">{bio === '' ? t('common.person.anonymous') : bio}</p>
    </Bio>
  );
}

const Bio = styled(Card)`
  h2 {
    ${textSize('19px', '17px')}
    line-height: 1.5;
  }
  p {
    margin-block-start: 6px;
    color: var(--ink-2);
    overflow-wrap: anywhere;
    white-space: pre-wrap;
    text-align: start;
  }
  ${({ theme }) => theme.media.phone} {
    padding-block: 14px;
    h2 {
      display: none;
    }
    p {
      margin: 0;
      line-height: 1.65;
    }
  }
`;
