import { Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { styled } from 'styled-components';
import { Icon } from '../../components/index.js';
import { MOST_STARS } from './testimonials.js';

export function Stars({ rating }: { rating: number }) {
  const { t } = useTranslation();
  return (
    <Row role="img" aria-label={t('home.testimonials.stars', { rating, most: MOST_STARS })}>
      {Array.from({ length: MOST_STARS }, (_, index) => (
        <Place key={index} $full={index < rating}>
          <Icon of={Star} />
        </Place>
      ))}
    </Row>
  );
}

const Row = styled.span`
  display: inline-flex;
  gap: 2px;
  color: var(--gold);
`;

const Place = styled.span<{ $full: boolean }>`
  svg {
    inline-size: 17px;
    block-size: 17px;
    fill: ${({ $full }) => ($full ? 'currentColor' : 'none')};
  }
`;
