import { Star } from 'lucide-react';
import { styled } from 'styled-components';
import { Avatar, Icon, Spoken } from '../../ui/index.js';
import { useLanguage, useTranslation } from '../../i18n/index.js';
import { textSize } from '../../theme/index.js';
import { MAX_STARS, type Testimonial } from './testimonials.js';

export function Stars({ rating }: { rating: number }) {
  const { t } = useTranslation();
  return (
    <StarRow role="img" aria-label={t('home.testimonials.stars', { rating, most: MAX_STARS })}>
      {Array.from({ length: MAX_STARS }, (_, index) => (
        <Place key={index} $full={index < rating}>
          <Icon of={Star} />
        </Place>
      ))}
    </StarRow>
  );
}

const StarRow = styled.span`
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

interface Props {
  testimonial: Testimonial;
  onChoose: () => void;
}

export function TestimonialCard({ testimonial, onChoose }: Props) {
  const { t } = useTranslation();
  const { language } = useLanguage();
  const { id, avatar, gender, icon, rating } = testimonial;
  const name = testimonial.name[language];
  return (
    <Card type="button" onClick={onChoose} data-testid="testimonial">
      <Spoken>{t(`home.testimonials.read_${gender}`, { name })}</Spoken>
      <Row>
        <Avatar person={{ id, name, avatar }} />
        <Icon of={icon} />
      </Row>
      <Text>{testimonial.text[language]}</Text>
      <Row>
        <b>{name}</b>
        <Stars rating={rating} />
      </Row>
    </Card>
  );
}

const Card = styled.button`
  display: grid;
  gap: 16px;
  grid-template-rows: auto 1fr auto;
  text-align: start;
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 28px;
  border-end-start-radius: 8px;
  padding: 24px;
  position: relative;
  transition: border-color var(--fast);
  &:hover {
    border-color: var(--violet-text);
  }
`;

const Row = styled.span`
  display: flex;
  justify-content: space-between;
  align-items: center;
  gap: 12px;
  > svg {
    color: var(--ink-3);
  }
`;

/* Three lines each. The featured review shows the full text. */
const Text = styled.span`
  ${textSize('17.5px', '16px')}
  line-height: 1.75;
  block-size: 3lh;
  display: -webkit-box;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 3;
  overflow: hidden;
  :lang(en) & {
    line-height: 1.6;
  }
  ${({ theme }) => theme.media.phone} {
    block-size: 4lh;
    -webkit-line-clamp: 4;
  }
`;
