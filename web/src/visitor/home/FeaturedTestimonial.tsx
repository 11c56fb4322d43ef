import { Pause, Play } from 'lucide-react';
import { keyframes, styled } from 'styled-components';
import { Avatar, Icon, IconButton } from '../../ui/index.js';
import { useLanguage, useTranslation } from '../../i18n/index.js';
import { textSize } from '../../theme/index.js';
import { Stars } from './TestimonialCard.js';
import type { Testimonial } from './testimonials.js';

interface Props {
  testimonial: Testimonial;
  /** While the user reads. */
  paused: boolean;
  /** The user stopped the rotation for good. */
  stopped: boolean;
  onStop: (stopped: boolean) => void;
  onTimeUp: () => void;
}

/** The progress bar is the timer: it pauses in a hidden tab and never fires under reduced motion. */
export function FeaturedTestimonial({ testimonial, paused, stopped, onStop, onTimeUp }: Props) {
  const { t } = useTranslation();
  const { language } = useLanguage();
  const { id, avatar, icon, rating } = testimonial;
  const name = testimonial.name[language];
  return (
    <Stage>
      <Figure aria-live={paused ? 'polite' : 'off'} data-testid="featured-testimonial">
        <Mark>
          <Icon of={icon} size="lg" />
        </Mark>
        <Quote>{testimonial.text[language]}</Quote>
        <figcaption>
          <Avatar person={{ id, name, avatar }} />
          <div>
            <b>{name}</b>
            <LargeStars>
              <Stars rating={rating} />
            </LargeStars>
          </div>
        </figcaption>
        <Bar data-scripts>
          <i key={id} data-paused={paused ? '' : undefined} onAnimationEnd={onTimeUp} data-testid="testimonial-clock" />
        </Bar>
      </Figure>
      {/* Outside the live region, which would read its name again. */}
      <Stop
        label={t(stopped ? 'home.testimonials.play' : 'home.testimonials.pause')}
        data-scripts
        onClick={() => onStop(!stopped)}
      >
        <Icon of={stopped ? Play : Pause} />
      </Stop>
    </Stage>
  );
}

const fill = keyframes`
  to { transform: none; }
`;

const Stage = styled.div`
  position: relative;
`;

const Figure = styled.figure`
  background: var(--gold-tint);
  border-radius: 44px;
  border-end-start-radius: 11px;
  padding: 48px 56px 44px;
  display: grid;
  gap: 26px;
  position: relative;
  overflow: hidden;
  figcaption {
    display: flex;
    gap: 14px;
    align-items: center;
  }
  b {
    display: block;
    line-height: 1.4;
  }
  ${({ theme }) => theme.media.phone} {
    padding: 30px 24px 32px;
    border-radius: 32px;
    border-end-start-radius: 9px;
    gap: 18px;
  }
`;

const Mark = styled.div`
  color: var(--gold-text);
  svg {
    inline-size: 34px;
    block-size: 34px;
  }
`;

/* Fits the longest review, so that the content below does not move. */
const Quote = styled.blockquote`
  ${textSize('31px', '28px')}
  line-height: 1.7;
  font-weight: 700;
  max-inline-size: 34em;
  min-block-size: 2lh;
  text-wrap: pretty;
  :lang(en) & {
    min-block-size: 3lh;
    line-height: 1.42;
    font-weight: 600;
    letter-spacing: -0.015em;
  }
  ${({ theme }) => theme.media.stacked} {
    &,
    :lang(en) & {
      min-block-size: 4lh;
    }
  }
  ${({ theme }) => theme.media.phone} {
    ${textSize('22px', '20px')}
    &,
    :lang(en) & {
      min-block-size: 5lh;
    }
  }
`;

/* Nothing moves under reduced motion. */
const Stop = styled(IconButton)`
  position: absolute;
  inset-inline-end: 28px;
  inset-block-end: 32px;
  color: var(--gold-text);
  ${({ theme }) => theme.media.phone} {
    inset-inline-end: 12px;
    inset-block-end: 20px;
  }
  @media (prefers-reduced-motion: reduce) {
    display: none;
  }
`;

const LargeStars = styled.span`
  > span {
    color: var(--stars);
  }
`;

const Bar = styled.span`
  position: absolute;
  inset-inline: 0;
  inset-block-end: 0;
  block-size: 5px;
  background: color-mix(in srgb, var(--gold) 30%, transparent);
  i {
    display: block;
    block-size: 100%;
    background: var(--gold);
    transform: scaleX(0);
    transform-origin: left;
    [dir='rtl'] & {
      transform-origin: right;
    }
    animation: ${fill} 5000ms linear forwards;
  }
  i[data-paused] {
    animation-play-state: paused;
  }
`;
