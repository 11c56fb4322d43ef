import type { MouseEvent, ReactNode } from 'react';
import { styled } from 'styled-components';
import { Container, Glyph } from '../../ui/index.js';
import { useDocumentTitle, useFormats, useTranslation } from '../../i18n/index.js';
import { semibold, small, headline, textSize } from '../../theme/index.js';

/** Date of the last change. Noon in UTC is that day nearly everywhere. */
const CHANGED_AT = '2026-11-30T12:00:00Z';

interface Section {
  id: string;
  title: string;
  content: ReactNode;
}

interface Props {
  title: string;
  text: string;
  summary?: ReactNode;
  sections: readonly Section[];
}

/** The router takes a new hash for a step back and would restore that page's position. */
function showSection(event: MouseEvent, id: string) {
  const target = document.getElementById(id);
  if (target === null) return;
  event.preventDefault();
  window.history.replaceState(window.history.state, '', `#${id}`);
  target.scrollIntoView();
  target.focus({ preventScroll: true });
}

export function InfoPage({ title, text, summary, sections }: Props) {
  const { t } = useTranslation();
  const { date } = useFormats();
  useDocumentTitle(title);
  return (
    <Container>
      <Top>
        <div>
          <h1>{title}</h1>
          <p>{text}</p>
          <Changed dateTime={CHANGED_AT}>{t('site.info.changed', { date: date(CHANGED_AT) })}</Changed>
        </div>
        <Glyph dots={1} />
      </Top>
      <Columns>
        <Contents aria-label={t('site.info.onThisPage')}>
          {sections.map(({ id, title: label }) => (
            <a key={id} href={`#${id}`} onClick={(event) => showSection(event, id)}>
              {label}
            </a>
          ))}
        </Contents>
        <Article>
          {summary}
          {sections.map(({ id, title: heading, content }) => (
            <section key={id} id={id} tabIndex={-1} aria-labelledby={`${id}-title`}>
              <h2 id={`${id}-title`}>{heading}</h2>
              {content}
            </section>
          ))}
        </Article>
      </Columns>
    </Container>
  );
}

const Top = styled.header`
  position: relative;
  overflow: hidden;
  display: grid;
  grid-template-columns: minmax(0, 1fr) 200px;
  gap: 40px;
  align-items: center;
  margin-block-start: 16px;
  padding: 52px 56px;
  background: var(--hero);
  ${({ theme }) => theme.bubble.stage}
  h1 {
    overflow-wrap: anywhere;
    ${headline('52px', '48px', 1.3, 1.1)}
  }
  p {
    max-inline-size: 28em;
    margin-block-start: 10px;
    color: var(--ink-2);
    ${textSize('20px', '18px')}
  }
  > svg {
    inline-size: 220px;
    align-self: end;
    margin-block-end: -70px;
    color: var(--hero-bowl);
  }
  ${({ theme }) => theme.media.phone} {
    grid-template-columns: minmax(0, 1fr);
    margin-block-start: 8px;
    padding: 32px 26px;
    border-radius: 36px;
    border-end-start-radius: 10px;
    h1 {
      ${textSize('38px', '36px')}
    }
    p {
      ${textSize('17.5px', '17.5px')}
    }
    > svg {
      display: none;
    }
  }
`;

const Changed = styled.time`
  display: block;
  margin-block-start: 10px;
  color: var(--ink-2);
  ${small}
`;

const Columns = styled.div`
  display: grid;
  grid-template-columns: 248px minmax(0, 1fr);
  gap: 56px;
  align-items: start;
  padding-block-start: 40px;
  ${({ theme }) => theme.media.stacked} {
    grid-template-columns: minmax(0, 1fr);
    gap: 24px;
    padding-block-start: 20px;
  }
`;

const Contents = styled.nav`
  position: sticky;
  inset-block-start: 104px;
  display: grid;
  gap: 4px;
  a {
    display: flex;
    align-items: center;
    min-block-size: 44px;
    padding: 8px 14px;
    ${({ theme }) => theme.bubble.control}
    color: var(--ink-2);
    font-weight: 500;
    &:hover {
      background: color-mix(in srgb, var(--ink) 5%, transparent);
    }
  }
  ${({ theme }) => theme.media.stacked} {
    display: none;
  }
`;

const Article = styled.article`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 44px;
  max-inline-size: 760px;
  section {
    scroll-margin-block-start: 104px;
    &:focus {
      outline: none;
    }
  }
  h2 {
    ${textSize('28px', '24px')}
    font-weight: 800;
    margin-block-end: 10px;
    :lang(en) & {
      ${semibold}
    }
  }
`;
