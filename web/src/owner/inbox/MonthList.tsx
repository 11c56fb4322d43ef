import { styled } from 'styled-components';
import { useErrorText } from '../../api/use-error-text.js';
import { LoadingDots, MenuGroup, MenuItem, MenuLabel } from '../../ui/index.js';
import { languages, useFormats, useLanguage, useTranslation } from '../../i18n/index.js';
import { textSize } from '../../theme/index.js';
import { useGetMonthsQuery } from './list-cache.js';
import type { Filter, MessageMonth } from './types.js';

const yearOf = ({ month }: MessageMonth) => month.slice(0, 4);

export interface MonthProps {
  filter: Filter;
  onJump: (month: string) => void;
}

export function MonthList({ filter, onJump }: MonthProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  const errors = useErrorText();
  const { language } = useLanguage();
  const { locale } = languages[language];
  const monthName = new Intl.DateTimeFormat(locale, { month: 'long' });
  const yearName = new Intl.DateTimeFormat(locale, { year: 'numeric' });
  const { currentData: months, error } = useGetMonthsQuery(filter);
  if (error !== undefined)
    return <MenuItem disabled>{t('common.failure.load', { text: errors.text(error) })}</MenuItem>;
  if (months === undefined)
    return (
      <MenuItem disabled aria-label={t('common.action.loading')}>
        <LoadingDots />
      </MenuItem>
    );
  if (months.length === 0) return <MenuItem disabled>{t('messages.empty.title')}</MenuItem>;
  return [...new Set(months.map(yearOf))].map((year) => (
    <MenuGroup key={year}>
      <Year>{yearName.format(new Date(`${year}-01-01T00:00`))}</Year>
      {months
        .filter((each) => yearOf(each) === year)
        .map(({ month, count }) => (
          <MenuItem key={month} onSelect={() => onJump(month)}>
            {monthName.format(new Date(`${month}-01T00:00`))}
            {count !== undefined && <Count>{number(count)}</Count>}
          </MenuItem>
        ))}
    </MenuGroup>
  ));
}

const Year = styled(MenuLabel)`
  padding: 8px 12px 2px;
  color: var(--ink-3);
  ${textSize('15px', '13px')}
`;

const Count = styled.span`
  margin-inline-start: auto;
  color: var(--ink-3);
  ${textSize('15px', '13px')}
`;
