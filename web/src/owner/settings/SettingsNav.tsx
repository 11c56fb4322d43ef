import type { LucideIcon } from 'lucide-react';
import { useRef } from 'react';
import { styled } from 'styled-components';
import { Link, useNavigation } from '../../ui/navigation.js';
import { Icon } from '../../ui/index.js';
import { scrollingRow, useCurrentInView } from '../scrolling-row.js';
import { semibold } from '../../theme/index.js';

interface Props {
  label: string;
  sections: readonly { path: string; label: string; icon: LucideIcon }[];
}

export function SettingsNav({ label, sections }: Props) {
  const { pathname } = useNavigation();
  const row = useRef<HTMLElement>(null);
  useCurrentInView(row, pathname);
  return (
    <Nav ref={row} aria-label={label}>
      {sections.map(({ path, label: name, icon }) => (
        <Link key={path} to={path} {...(path === pathname && { 'aria-current': 'page' as const })}>
          <Icon of={icon} />
          {name}
        </Link>
      ))}
    </Nav>
  );
}

const Nav = styled.nav`
  position: sticky;
  inset-block-start: 104px;
  display: grid;
  gap: 4px;
  a {
    display: flex;
    gap: 12px;
    align-items: center;
    min-block-size: 48px;
    padding: 8px 14px;
    border-radius: 14px;
    border-end-start-radius: 5px;
    color: var(--ink-2);
    font-weight: 500;
    &:hover {
      background: color-mix(in srgb, var(--ink) 5%, transparent);
    }
    &[aria-current] {
      background: var(--surface);
      color: var(--ink);
      box-shadow:
        var(--shadow-1),
        inset 0 0 0 1px var(--line);
      ${semibold}
      svg {
        color: var(--violet-text);
      }
    }
  }
  ${({ theme }) => theme.media.stacked} {
    position: static;
    ${scrollingRow}
    a {
      padding-inline: 12px 16px;
      gap: 8px;
    }
  }
`;
