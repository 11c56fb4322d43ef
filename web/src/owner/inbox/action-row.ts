import { css, styled } from 'styled-components';
import { textSize } from '../../theme/index.js';

export const ActionRow = styled.div`
  display: flex;
  gap: 2px;
  margin-block-start: 4px;
  margin-inline: -12px;
  padding-block-start: 6px;
  border-block-start: 1px solid var(--line);
  ${({ theme }) => theme.media.phone} {
    display: grid;
    grid-auto-flow: column;
    grid-auto-columns: minmax(0, 1fr);
    margin-inline: -8px;
  }
`;

export const actionButton = css`
  display: inline-flex;
  gap: 7px;
  align-items: center;
  min-block-size: 40px;
  padding-inline: 12px;
  border-radius: 13px;
  border-end-start-radius: 4px;
  font-weight: 500;
  color: var(--ink-2);
  ${textSize('15px', '14px')}
  &:hover {
    background: var(--sunken);
  }
  &:disabled {
    opacity: 0.45;
    cursor: not-allowed;
  }
  ${({ theme }) => theme.media.phone} {
    display: grid;
    gap: 1px;
    justify-items: center;
    align-content: center;
    min-block-size: 52px;
    min-inline-size: 0;
    margin: 0;
    padding-inline: 2px;
    line-height: 1.4;
    text-align: center;
    overflow-wrap: anywhere;
    ${textSize('14px', '12.5px')}
  }
`;
