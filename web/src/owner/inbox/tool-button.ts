import { css, styled } from 'styled-components';
import { semibold, textSize, visuallyHidden } from '../../theme/index.js';

/** On phones, only the icon. */
export const toolButton = css`
  display: inline-flex;
  flex: none;
  gap: 8px;
  align-items: center;
  min-block-size: 44px;
  padding: 6px 14px;
  ${({ theme }) => theme.bubble.control}
  border: 1px solid var(--line-strong);
  background: var(--surface);
  white-space: nowrap;
  &:hover {
    background: var(--sunken);
  }
  ${({ theme }) => theme.media.phone} {
    justify-content: center;
    inline-size: 44px;
    padding: 0;
    > svg {
      inline-size: 20px;
      block-size: 20px;
    }
    > svg + * + svg {
      display: none;
    }
    > span {
      ${visuallyHidden}
    }
  }
`;

export const ToolButton = styled.button`
  ${toolButton}
  ${semibold}
  ${textSize('17px', '15px')}
`;
