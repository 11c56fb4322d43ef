import { styled } from 'styled-components';
import { useTranslation } from '../i18n/index.js';
import { semibold, textSize } from '../theme/index.js';

export type BadgeTone = 'plain' | 'violet' | 'rose' | 'gold' | 'mint' | 'danger' | 'line';

const colours: Record<BadgeTone, string> = {
  plain: 'background: var(--sunken); color: var(--ink-2);',
  violet: 'background: var(--violet-tint); color: var(--on-violet-tint);',
  rose: 'background: var(--rose-tint); color: var(--on-rose-tint);',
  gold: 'background: var(--gold-tint); color: var(--on-gold-tint);',
  mint: 'background: var(--mint-tint); color: var(--on-mint-tint);',
  danger: 'background: var(--danger-tint); color: var(--on-danger-tint);',
  line: 'background: none; color: var(--ink-2); box-shadow: inset 0 0 0 1px var(--line-strong);',
};

export const Badge = styled.span<{ $tone?: BadgeTone }>`
  display: inline-flex;
  align-items: center;
  gap: 7px;
  padding: 1px 10px;
  min-block-size: 26px;
  ${({ theme }) => theme.bubble.badge}
  ${semibold}
  ${textSize('15px', '12.5px')}
  line-height: 1.6;
  white-space: nowrap;
  font-variant-numeric: tabular-nums;
  ${({ $tone = 'plain' }) => colours[$tone]}
  svg {
    inline-size: 14px;
    block-size: 14px;
    stroke-width: 2;
  }
`;

export function VerifiedBadge({ className }: { className?: string }) {
  const { t } = useTranslation();
  return (
    <CheckMark className={className} viewBox="0 0 24 24" role="img" aria-label={t('common.person.verified')}>
      <path
        fill="currentColor"
        d="M12 1.6 15 4l3.8-.2.9 3.7 3.1 2.2L21.4 13.2l.9 3.7-3.5 1.6-1.6 3.5-3.8-.6L12 23.4l-2.4-2-3.8.6-1.6-3.5L.7 16.9l.9-3.7L.2 9.7l3.1-2.2.9-3.7L8 4Z"
        transform="translate(1.3 0) scale(.93)"
      />
      <path
        fill="none"
        stroke="var(--tick, var(--surface))"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="m8 12 2.8 2.8L16.2 9.4"
      />
    </CheckMark>
  );
}

const CheckMark = styled.svg`
  color: var(--violet-text);
  inline-size: 22px;
  block-size: 22px;
  flex: none;
`;
