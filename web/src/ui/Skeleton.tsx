import { keyframes, styled } from 'styled-components';
import { MessageShape } from './MessageShape.js';

const shimmer = keyframes`
  to { background-position: -220% 0; }
`;

export const Skeleton = styled.span<{ $inline: string; $block: string; $round?: boolean }>`
  display: block;
  inline-size: ${({ $inline }) => $inline};
  block-size: ${({ $block }) => $block};
  background: linear-gradient(
      100deg,
      var(--sunken) 40%,
      color-mix(in srgb, var(--line) 80%, var(--surface)) 50%,
      var(--sunken) 60%
    )
    0 0 / 220% 100%;
  border-radius: ${({ $round }) => ($round ? '50%' : '8px')};
  animation: ${shimmer} 1.6s linear infinite;
`;

const PLACEHOLDER_COUNT = 3;

/** Fill a screen, so that the content below does not jump. */
export function MessageSkeletons() {
  return Array.from({ length: PLACEHOLDER_COUNT }, (_, index) => <MessageSkeleton key={index} />);
}

function MessageSkeleton() {
  return (
    <MessageShape state="none" aria-hidden="true">
      <Row>
        <Skeleton $inline="48px" $block="48px" $round />
        <Lines>
          <Skeleton $inline="40%" $block="14px" />
          <Skeleton $inline="24%" $block="12px" />
        </Lines>
      </Row>
      <Body>
        <Skeleton $inline="100%" $block="14px" />
        <Skeleton $inline="72%" $block="14px" />
      </Body>
    </MessageShape>
  );
}

const Row = styled.div`
  display: flex;
  align-items: center;
  gap: 12px;
`;

const Lines = styled.div`
  flex: 1;
  display: grid;
  gap: 8px;
`;

const Body = styled(Lines)`
  margin-block-start: 18px;
`;
