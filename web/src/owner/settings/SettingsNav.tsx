import type { LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { Link, useNavigation } from '../../ui/navigation.js';
import { Icon } from '../../ui/index.js';
import { semibold } from '../../theme/index.js';

interface Props {
  label: string;
  sections: readonly { path: string; label: string; icon: LucideIcon }[];
}

export function SettingsNav({ label, sections }: Props) {
  const { pathname } = useNavigation();
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    const link = current.current;
    link?.parentElement?.scrollTo({ left: link.offsetLeft - link.parentElement.offsetWidth / 2 });
  }, [pathname]);
  return (
    <Nav aria-label={label}>
      {sections.map((section) => {
        const isCurrent = section.path === pathname;
        return (
          <Link
            key={section.path}
            to={section.path}
            {...(isCurrent && { ref: current, 'aria-current': 'page' as const })}
          >
            <Icon of={section.icon} />
            {section.label}
          </Link>
        );
      })}
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
    display: flex;
    overflow-x: auto;
    margin-inline: -16px;
    padding: 2px 16px;
    scrollbar-width: none;
    /* Fades where it is cut. The ends have only padding. */
    mask: linear-gradient(to right, transparent, #000 16px, #000 calc(100% - 16px), transparent);
    a {
      white-space: nowrap;
      flex: none;
      padding-inline: 12px 16px;
      gap: 8px;
    }
  }
`;
