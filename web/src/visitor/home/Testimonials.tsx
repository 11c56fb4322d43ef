import { ArrowLeft, ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { Icon, IconButton, Spoken, StatusDot } from '../../ui/index.js';
import { useMedia } from '../../lib/hooks.js';
import { PHONE } from '../../theme/index.js';
import { FeaturedTestimonial } from './FeaturedTestimonial.js';
import { Section, SectionHeader } from './section-parts.js';
import { TestimonialCard } from './TestimonialCard.js';
import { testimonials } from './testimonials.js';

const PER_PAGE = { phone: 1, desktop: 3 };

export function Testimonials() {
  const { t } = useTranslation();
  const perPage = useMedia(PHONE) ? PER_PAGE.phone : PER_PAGE.desktop;
  const [featured, setFeatured] = useState(0);
  const [first, setFirst] = useState(0);
  const [stopped, setStopped] = useState(false);
  const [holds, setHolds] = useState({ pointer: false, focus: false });
  const shown = testimonials[featured];
  if (shown === undefined) return null;

  const others = testimonials.filter(({ id }) => id !== shown.id);
  const pages = Math.ceil(others.length / perPage);
  const page = Math.floor(first / perPage);
  const paused = stopped || holds.pointer || holds.focus;

  const turn = (by: number) => setFirst(((page + by + pages) % pages) * perPage);

  return (
    <Section
      id="testimonials-section"
      aria-labelledby="testimonials-title"
      onPointerEnter={() => setHolds((last) => ({ ...last, pointer: true }))}
      onPointerLeave={() => setHolds((last) => ({ ...last, pointer: false }))}
      onFocus={({ target }) => {
        // A click leaves the focus on the card, so pause for keyboard focus only.
        const byKeyboard = target.matches(':focus-visible');
        setHolds((last) => ({ ...last, focus: byKeyboard }));
      }}
      onBlur={() => setHolds((last) => ({ ...last, focus: false }))}
    >
      <Head>
        <div>
          <h2 id="testimonials-title">{t('home.testimonials.title')}</h2>
          <p>{t('home.testimonials.text')}</p>
        </div>
        <Pager data-scripts>
          <IconButton label={t('home.testimonials.previous')} onClick={() => turn(-1)}>
            <Icon of={ArrowLeft} flip />
          </IconButton>
          <PageDots aria-hidden="true">
            {Array.from({ length: pages }, (_, index) => (
              <StatusDot
                key={index}
                $size={perPage === PER_PAGE.phone ? 6 : 8}
                $colour={index === page ? 'var(--violet)' : 'var(--line-strong)'}
              />
            ))}
          </PageDots>
          <Spoken aria-live={holds.focus ? 'polite' : 'off'}>
            {t('home.testimonials.page', { page: page + 1, pages })}
          </Spoken>
          <IconButton label={t('home.testimonials.next')} onClick={() => turn(1)}>
            <Icon of={ArrowRight} flip />
          </IconButton>
        </Pager>
      </Head>
      <FeaturedTestimonial
        testimonial={shown}
        paused={paused}
        stopped={stopped}
        onStop={setStopped}
        onTimeUp={() => setFeatured((featured + 1) % testimonials.length)}
      />
      <Grid data-scripts>
        {others.slice(page * perPage, (page + 1) * perPage).map((testimonial, place) => (
          // Keyed by position: the clicked card keeps the focus when its review changes.
          <TestimonialCard
            key={place}
            testimonial={testimonial}
            onChoose={() => setFeatured(testimonials.indexOf(testimonial))}
          />
        ))}
      </Grid>
    </Section>
  );
}

const Head = styled(SectionHeader)`
  max-inline-size: none;
  grid-template-columns: minmax(0, 1fr) auto;
  align-items: end;
  h2 {
    margin-block-end: 10px;
  }
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: minmax(0, 1fr);
  }
`;

const Pager = styled.div`
  display: flex;
  align-items: center;
  gap: 12px;
  ${({ theme }) => theme.media.phone} {
    margin-inline: -12px;
    gap: 4px;
  }
`;

const PageDots = styled.span`
  display: flex;
  align-items: center;
  gap: 9px;
  ${({ theme }) => theme.media.phone} {
    gap: min(6px, 1.4vw);
  }
`;

const Grid = styled.div`
  display: grid;
  grid-template-columns: repeat(3, minmax(0, 1fr));
  gap: 20px;
  margin-block-start: 20px;
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: minmax(0, 1fr);
  }
`;
