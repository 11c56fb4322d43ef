import { styled } from 'styled-components';
import { isolatedLtr } from '../theme/index.js';

/** A @username, always left to right. */
export function Handle({ username }: { username: string }) {
  return <Isolated dir="ltr">@{username}</Isolated>;
}

const Isolated = styled.bdi`
  ${isolatedLtr}
`;
