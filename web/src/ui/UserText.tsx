import { styled } from 'styled-components';
import { withoutBidiControls } from '../lib/text.js';
import { isolatedLtr } from '../theme/index.js';

/** Inline user text. It keeps its own direction and cannot affect the text around it. */
export function UserText({ children }: { children: string }) {
  return <bdi>{withoutBidiControls(children)}</bdi>;
}

/** Set by before-paint.js, since no page knows its host before it is opened. */
export const SiteHost = styled.span`
  &::before {
    content: var(--host);
  }
`;

export function Handle({ username }: { username: string }) {
  return <Isolated dir="ltr">@{username}</Isolated>;
}

const Isolated = styled.bdi`
  ${isolatedLtr}
  /* A long one would hide its beginning behind the card's edge. */
  max-inline-size: 100%;
  overflow-wrap: anywhere;
`;
