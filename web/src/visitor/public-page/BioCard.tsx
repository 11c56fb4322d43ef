import { ChevronDown } from 'lucide-react';
import { styled } from 'styled-components';
import { Card, Icon } from '../../ui/index.js';
import { useTranslation } from '../../i18n/index.js';
import { textSize, visuallyHidden } from '../../theme/index.js';

/** In stacked columns the first line; a press on the owner's row opens the rest. */
export function BioCard({ bio }: { bio: string }) {
  const { t } = useTranslation();
  return (
    <Bio aria-labelledby="bio-title">
      <h2 id="bio-title">{t('publicPage.bio')}</h2>
      <details>
        <summary>
          <span dir="auto">{bio}</span>
          <Icon of={ChevronDown} size="sm" />
        </summary>
      </details>
    </Bio>
  );
}

const Bio = styled(Card)`
  h2 {
    ${textSize('19px', '17px')}
    line-height: 1.5;
  }
  summary {
    display: flex;
    gap: 8px;
    align-items: flex-end;
    margin-block-start: 6px;
    list-style: none;
    cursor: pointer;
    border-radius: 12px;
    &::-webkit-details-marker {
      display: none;
    }
  }
  summary > span {
    flex: 1;
    min-inline-size: 0;
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 4;
    overflow: hidden;
    color: var(--ink-2);
    overflow-wrap: anywhere;
    white-space: pre-wrap;
    text-align: start;
  }
  [open] > summary > span {
    -webkit-line-clamp: none;
  }
  svg {
    display: none;
    color: var(--ink-3);
    transition: rotate var(--base) var(--ease);
  }
  [open] > summary > svg {
    rotate: 180deg;
  }
  ${({ theme }) => theme.media.stacked} {
    position: static;
    padding: 0;
    background: none;
    border: 0;
    box-shadow: none;
    h2 {
      ${visuallyHidden}
    }
    summary {
      gap: 6px;
      margin-block-start: 3px;
      /* The whole row is the target. */
      &::after {
        content: '';
        position: absolute;
        inset: 0;
      }
    }
    summary > span {
      -webkit-line-clamp: 1;
      ${textSize('15.5px', '14px')}
      line-height: 1.4375rem;
    }
    svg {
      display: block;
      margin-block-end: 3px;
    }
  }
`;
