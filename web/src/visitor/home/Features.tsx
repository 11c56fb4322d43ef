import { Copy } from 'lucide-react';
import { useTranslation } from '../../i18n/index.js';
import { styled } from 'styled-components';
import { Glyph, Icon, SiteHost, Switch, Row } from '../../ui/index.js';
import { barHeight, barHeights, semibold, textSize } from '../../theme/index.js';
import { darkSurface, Section, SectionHeader } from './section-parts.js';

const ORIGINAL_WAVE = [
  63, 32, 16, 30, 18, 48, 35, 78, 65, 56, 78, 29, 40, 42, 32, 18, 25, 61, 25, 34, 46, 30, 58, 81, 64, 62,
];
const ALTERED_WAVE = [
  89, 35, 70, 18, 20, 33, 34, 66, 28, 77, 21, 67, 79, 52, 45, 18, 18, 16, 15, 26, 67, 96, 68, 50, 70, 52,
];

export function Features() {
  const { t } = useTranslation();
  return (
    <Section id="features">
      <SectionHeader>
        <h2>{t('home.features.title')}</h2>
        <p>{t('home.features.text')}</p>
      </SectionHeader>
      <Bento>
        <LinkTile>
          <TileText of="link" />
          <LinkBar dir="ltr" aria-hidden="true">
            <span>
              <SiteHost />
              /m/
            </span>
            <b>noura</b>
            <CopyLabel>
              <Icon of={Copy} />
              {t('home.features.link.copy')}
            </CopyLabel>
          </LinkBar>
        </LinkTile>
        <VoiceTile>
          <TileText of="voice" />
          <Row $gap={12} aria-hidden="true">
            <Wave dir="ltr">
              {ORIGINAL_WAVE.map((height, index) => (
                <i key={index} {...barHeight(height)} />
              ))}
            </Wave>
            <MorphDot />
            <Wave dir="ltr" $altered>
              {ALTERED_WAVE.map((height, index) => (
                <i key={index} {...barHeight(height)} />
              ))}
            </Wave>
          </Row>
        </VoiceTile>
        <PublishingTile>
          <TileText of="publishing" />
          <Visibility aria-hidden="true" inert>
            <span>
              <PrivateBowl dots={1} />
              {t('home.features.publishing.held')}
            </span>
            <Switch checked />
            <span>
              <PublishedBowl dots={1} />
              {t('home.features.publishing.published')}
            </span>
          </Visibility>
        </PublishingTile>
        <ReplyTile>
          <TileText of="reply" />
          <Thread aria-hidden="true">
            <span>{t('home.features.reply.question')}</span>
            <span>{t('home.features.reply.answer')}</span>
          </Thread>
        </ReplyTile>
      </Bento>
    </Section>
  );
}

function TileText({ of }: { of: 'link' | 'voice' | 'publishing' | 'reply' }) {
  const { t } = useTranslation();
  return (
    <div>
      <h3>{t(`home.features.${of}.title`)}</h3>
      <p>{t(`home.features.${of}.text`)}</p>
    </div>
  );
}

const Bento = styled.div`
  display: grid;
  grid-template-columns: repeat(12, minmax(0, 1fr));
  gap: 20px;
  ${({ theme }) => theme.media.stacked} {
    grid-template-columns: minmax(0, 1fr);
  }
`;

const Tile = styled.article<{ $span: number }>`
  grid-column: span ${({ $span }) => $span};
  border-radius: 36px;
  border-end-start-radius: 9px;
  padding: 36px;
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 28px;
  align-content: space-between;
  min-block-size: 320px;
  h3 {
    ${textSize('26px', '23px')}
    margin-block-end: 8px;
  }
  p {
    max-inline-size: 27em;
    color: var(--ink-2);
  }
  ${({ theme }) => theme.media.stacked} {
    grid-column: auto;
    min-block-size: 0;
  }
  ${({ theme }) => theme.media.phone} {
    padding: 26px 24px;
    border-radius: 30px;
    border-end-start-radius: 9px;
    h3 {
      ${textSize('23px', '23px')}
    }
  }
`;

const LinkTile = styled(Tile).attrs({ $span: 7 })`
  ${darkSurface}
  p {
    color: var(--on-night-2);
  }
`;

const VoiceTile = styled(Tile).attrs({ $span: 5 })`
  background: var(--tile-rose);
`;

const PublishingTile = styled(Tile).attrs({ $span: 5 })`
  background: var(--surface);
  box-shadow: inset 0 0 0 1px var(--line);
`;

const ReplyTile = styled(Tile).attrs({ $span: 7 })`
  background: var(--tile-mint);
`;

const LinkBar = styled.div`
  display: flex;
  align-items: center;
  background: color-mix(in srgb, var(--on-night) 8%, transparent);
  border: 1px solid color-mix(in srgb, var(--on-night) 14%, transparent);
  border-radius: 20px;
  border-end-start-radius: 6px;
  padding-block: 12px;
  padding-inline: 22px 12px;
  font: 600 1.3125rem/1.4 ${({ theme }) => theme.font.latin};
  > span:first-child {
    color: var(--on-night-2);
    font-weight: 400;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  > b {
    padding-inline-end: 8px;
  }
  ${({ theme }) => theme.media.phone} {
    font-size: 1rem;
    padding-inline-start: 16px;
  }
`;

const CopyLabel = styled.span`
  margin-inline-start: auto;
  display: inline-flex;
  align-items: center;
  gap: 6px;
  flex: none;
  min-block-size: 36px;
  padding: 4px 14px;
  ${({ theme }) => theme.bubble.small}
  background: var(--gold);
  color: var(--on-gold);
  font-family: ${({ theme }) => theme.font.arabic};
  ${semibold}
  ${textSize('15px', '14px')}
  :lang(en) & {
    font-family: ${({ theme }) => theme.font.latin};
  }
  svg {
    inline-size: 17px;
    block-size: 17px;
  }
`;

const Wave = styled.span<{ $altered?: boolean }>`
  flex: 1;
  min-inline-size: 0;
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 2px;
  block-size: 72px;
  overflow: hidden;
  i {
    flex: 1;
    max-inline-size: 5px;
    min-inline-size: 2px;
    border-radius: 2px;
    background: ${({ $altered }) => ($altered ? 'var(--violet-text)' : 'color-mix(in srgb, var(--rose-strong) 45%, var(--tile-rose))')};
  }
  ${barHeights}
`;

const MorphDot = styled.span`
  inline-size: 30px;
  block-size: 30px;
  border-radius: 28%;
  background: var(--ink);
  transform: rotate(45deg);
  flex: none;
  margin-inline: 6px;
`;

const Visibility = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 10px;
  background: var(--sunken);
  border-radius: 20px;
  border-end-start-radius: 6px;
  padding: 14px 22px;
  font-weight: 700;
  > span {
    display: flex;
    gap: 10px;
    align-items: center;
  }
  > span > svg {
    inline-size: 34px;
    block-size: 34px;
  }
  ${({ theme }) => theme.media.phone} {
    flex-wrap: wrap;
    padding-inline: 14px;
  }
`;

const PrivateBowl = styled(Glyph)`
  color: var(--ink-3);
  [data-part='dots'] {
    transform: translateY(15px);
    fill: var(--rose-strong);
  }
`;

const PublishedBowl = styled(Glyph)`
  color: var(--violet);
`;

const Thread = styled.div`
  display: grid;
  gap: 10px;
  > span {
    padding: 12px 20px;
    border-radius: 22px;
    line-height: 1.65;
    inline-size: fit-content;
    max-inline-size: 88%;
  }
  > span:first-child {
    background: var(--surface);
    border-end-start-radius: 6px;
  }
  > span:last-child {
    background: var(--violet);
    color: var(--on-violet);
    justify-self: end;
    border-end-end-radius: 6px;
  }
`;
