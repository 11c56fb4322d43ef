import type { ReactNode } from 'react';
import { css, styled } from 'styled-components';
import { Link } from '../../ui/navigation.js';
import { semibold } from '../../theme/index.js';

/** `**strong**` and `[label](/path)`. */
const MARKUP = /\*\*(.+?)\*\*|\[(.+?)\]\((\/[\w/-]*)\)/g;

/** Answered by the gateway, outside the client. */
const isOutside = (path: string) => path.startsWith('/api/');

function inline(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { 0: whole, 1: strong, 2: label, 3: path = '', index } of text.matchAll(MARKUP)) {
    parts.push(text.slice(end, index));
    if (strong !== undefined) parts.push(<b key={index}>{strong}</b>);
    else if (isOutside(path))
      parts.push(
        <a key={index} href={path}>
          {label}
        </a>,
      );
    else
      parts.push(
        <Link key={index} to={path}>
          {label}
        </Link>,
      );
    end = index + whole.length;
  }
  return [...parts, text.slice(end)];
}

/** One paragraph a line. Lines that begin with "- " are a list. */
export function Prose({ text }: { text: string }) {
  const blocks: { items: string[]; isList: boolean }[] = [];
  for (const line of text.split('\n')) {
    const isList = line.startsWith('- ');
    const item = isList ? line.slice(2) : line;
    const last = blocks.at(-1);
    if (isList && last?.isList === true) last.items.push(item);
    else blocks.push({ items: [item], isList });
  }
  return blocks.map(({ items, isList }) =>
    isList ? (
      <List key={items[0]}>
        {items.map((item) => (
          <li key={item}>{inline(item)}</li>
        ))}
      </List>
    ) : (
      <Paragraph key={items[0]}>{inline(items[0] ?? '')}</Paragraph>
    ),
  );
}

const flow = css`
  line-height: 1.85;
  :lang(en) & {
    line-height: 1.7;
  }
  & + & {
    margin-block-start: 12px;
  }
  b {
    ${semibold}
  }
  a {
    color: var(--violet-text);
    text-decoration: underline;
    text-underline-offset: 4px;
  }
`;

const Paragraph = styled.p`
  ${flow}
  ul + & {
    margin-block-start: 12px;
  }
`;

const List = styled.ul`
  display: grid;
  gap: 10px;
  p + & {
    margin-block-start: 12px;
  }
  li {
    ${flow}
    padding-inline-start: 21px;
    position: relative;
    & + & {
      margin-block-start: 0;
    }
    &::before {
      content: '';
      position: absolute;
      inset-block-start: 0.75em;
      inset-inline-start: 0;
      inline-size: 7px;
      block-size: 7px;
      background: var(--violet-text);
      border-radius: 2px;
      rotate: 45deg;
    }
  }
`;
