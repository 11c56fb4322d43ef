import { styled } from 'styled-components';
import { isolatedLtr } from '../theme/index.js';

/** A @username, which reads left to right in every sentence. */
export function Handle({ username }: { username: string }) {
  return <Isolated dir="ltr">@{username}</Isolated>;
}

const Isolated = styled.bdi`
  ${isolatedLtr}
`;
