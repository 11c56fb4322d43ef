import { styled } from 'styled-components';
import { withoutBidiControls } from '../lib/text.js';
import { isolatedLtr } from '../theme/index.js';

/** Text written by a user, inline with ours. It keeps its own direction and cannot affect the text around it. */
export function UserText({ children }: { children: string }) {
  return <bdi>{withoutBidiControls(children)}</bdi>;
}

/** Name of the site in an address. before-paint.js sets it, since no page knows it before it is opened. */
export const SiteHost = styled.span`
  &::before {
    content: var(--host);
  }
`;

/** A @username, always left to right. */
export function Handle({ username }: { username: string }) {
  return <Isolated dir="ltr">@{username}</Isolated>;
}

const Isolated = styled.bdi`
  ${isolatedLtr}
  /* A long one would hide its beginning behind the edge of a card. */
  max-inline-size: 100%;
  overflow-wrap: anywhere;
`;
