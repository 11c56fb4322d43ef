import { keyframes, styled } from 'styled-components';

const drop = keyframes`
  0%, 60%, 100% { translate: 0 0; opacity: 0.55; }
  30% { translate: 0 -4px; opacity: 1; }
`;

/** Three animated dots: something is in progress. */
export function Dots() {
  return (
    <Row aria-hidden="true">
      <i />
      <i />
      <i />
    </Row>
  );
}

const Row = styled.span`
  display: inline-flex;
  gap: 5px;
  align-items: center;
  i {
    inline-size: 7px;
    block-size: 7px;
    border-radius: 28%;
    background: currentColor;
    transform: rotate(45deg);
    animation: ${drop} 1s var(--ease) infinite;
  }
  i:nth-child(2) {
    animation-delay: 0.14s;
  }
  i:nth-child(3) {
    animation-delay: 0.28s;
  }
`;
