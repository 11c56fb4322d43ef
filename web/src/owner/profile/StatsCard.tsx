import { styled } from 'styled-components';
import { LoadFailure } from '../../ui/LoadFailure.js';
import { BOWL, Card, CardTitle, StatusDot } from '../../ui/index.js';
import { useFormats, useTranslation } from '../../i18n/index.js';
import { textSize } from '../../theme/index.js';
import { useGetStatsQuery } from '../inbox/index.js';

const TWO_DOTS =
  'M24.5 9.5Q26 8 27.5 9.5L29.5 11.5Q31 13 29.5 14.5L27.5 16.5Q26 18 24.5 16.5L22.5 14.5Q21 13 22.5 11.5ZM36.5 9.5Q38 8 39.5 9.5L41.5 11.5Q43 13 41.5 14.5L39.5 16.5Q38 18 36.5 16.5L34.5 14.5Q33 13 34.5 11.5Z';
const ONE_DOT =
  'M30.5 9.5Q32 8 33.5 9.5L35.5 11.5Q37 13 35.5 14.5L33.5 16.5Q32 18 30.5 16.5L28.5 14.5Q27 13 28.5 11.5Z';

/** The mark's dots: one for one unread message, two for more. */
export function StatsCard() {
  const { t } = useTranslation();
  const { number } = useFormats();
  const { data, error, isFetching, refetch } = useGetStatsQuery();
  const show = (value: number | undefined) => (value === undefined ? '\u2007' : number(value));
  const unread = data?.unread ?? 0;
  return (
    <Card aria-labelledby="stats-title">
      <CardTitle id="stats-title">{t('profile.stats.title')}</CardTitle>
      {error !== undefined && data === undefined ? (
        <LoadFailure error={error} retrying={isFetching} size="sm" onRetry={() => void refetch()} />
      ) : (
        <>
          <Total>
            <svg viewBox="0 0 64 64" aria-hidden="true">
              <defs>
                <clipPath id="stats-inside">
                  <path d="M12 20H52V25.1A18.5 18.5 0 0 1 13.5 25.1V20Z" />
                </clipPath>
              </defs>
              <g clipPath="url(#stats-inside)">
                <rect fill="var(--violet-tint)" x="10" y="26.5" width="46" height="22" />
              </g>
              <path fill="var(--violet)" d={BOWL} />
              {unread > 0 && <path fill="var(--rose-strong)" d={unread === 1 ? ONE_DOT : TWO_DOTS} />}
            </svg>
            <div>
              <strong data-testid="stats-received">{show(data?.received)}</strong>
              <span>{t('profile.stats.total', { count: data?.received ?? 0 })}</span>
            </div>
          </Total>
          <Parts>
            <Part name="read" colour="var(--mint)" value={data?.read} />
            <Part name="unread" colour="var(--rose-strong)" value={data?.unread} />
            <Part name="sent" colour="var(--gold)" value={data?.sent} />
          </Parts>
        </>
      )}
    </Card>
  );
}

/** All four counts. */
export function Stats() {
  const { data, error, isFetching, refetch } = useGetStatsQuery();
  if (error !== undefined && data === undefined)
    return <LoadFailure error={error} retrying={isFetching} size="sm" onRetry={() => void refetch()} />;
  return (
    <AllParts>
      <Part name="received" value={data?.received} />
      <Part name="read" colour="var(--mint)" value={data?.read} />
      <Part name="unread" colour="var(--rose-strong)" value={data?.unread} />
      <Part name="sent" colour="var(--gold)" value={data?.sent} />
    </AllParts>
  );
}

interface PartProps {
  name: 'received' | 'read' | 'unread' | 'sent';
  colour?: string;
  value: number | undefined;
}

function Part({ name, colour, value }: PartProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  return (
    <div>
      <dt>
        {colour !== undefined && <StatusDot $colour={colour} />}
        {t(name === 'received' ? 'profile.received' : `profile.stats.${name}`)}
      </dt>
      <dd data-testid={`stats-${name}`}>{value === undefined ? '\u2007' : number(value)}</dd>
    </div>
  );
}

const Total = styled.div`
  display: flex;
  gap: 18px;
  align-items: center;
  margin-block: 6px 12px;
  svg {
    inline-size: 112px;
    block-size: 112px;
    margin-block-start: -14px;
  }
  strong {
    display: block;
    ${textSize('48px', '42px')}
    line-height: 1.15;
    font-weight: 900;
    font-variant-numeric: tabular-nums;
    :lang(en) & {
      letter-spacing: -0.022em;
    }
  }
  span {
    color: var(--ink-2);
  }
`;

const Parts = styled.dl`
  display: grid;
  grid-template-columns: repeat(3, auto);
  justify-content: space-between;
  border-block-start: 1px solid var(--line);
  padding-block-start: 14px;
  dt {
    display: flex;
    gap: 8px;
    align-items: center;
    color: var(--ink-2);
    ${textSize('15px', '13px')}
  }
  dd {
    font-weight: 800;
    font-size: 1.3125rem;
    line-height: 1.5;
    font-variant-numeric: tabular-nums;
  }
`;

const AllParts = styled(Parts)`
  grid-template-columns: repeat(4, auto);
  border: 0;
  padding: 0;
`;
