import { useTranslation } from 'react-i18next';
import { styled } from 'styled-components';

/** The badge of a verified account. */
export function Tick({ className }: { className?: string }) {
  const { t } = useTranslation();
  return (
    <Mark className={className} viewBox="0 0 24 24" role="img" aria-label={t('common.person.verified')}>
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
    </Mark>
  );
}

const Mark = styled.svg`
  color: var(--violet-text);
  inline-size: 22px;
  block-size: 22px;
  flex: none;
`;
