import { styled } from 'styled-components';

export const Container = styled.div`
  inline-size: 100%;
  max-inline-size: calc(var(--wrap) + 2 * var(--gutter));
  margin-inline: auto;
  padding-inline: var(--gutter);
`;

/** Stacked on narrow screens. */
export const TwoColumns = styled.div`
  display: grid;
  grid-template-columns: 352px minmax(0, 1fr);
  gap: 28px;
  align-items: start;
  > aside {
    position: sticky;
    inset-block-start: 104px;
  }
  ${({ theme }) => theme.media.stacked} {
    grid-template-columns: minmax(0, 1fr);
    > aside {
      position: static;
    }
  }
  ${({ theme }) => theme.media.phone} {
    gap: 14px;
  }
`;

export const Stack = styled.div<{ $gap?: number }>`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${({ $gap = 16 }) => $gap}px;
`;
