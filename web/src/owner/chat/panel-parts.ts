import { Dialog } from 'radix-ui';
import { keyframes, styled } from 'styled-components';
import { Glyph } from '../../ui/index.js';
import { textSize } from '../../theme/index.js';

const fadeUp = keyframes`
  from { opacity: 0; translate: 0 8px; }
`;

export const Panel = styled(Dialog.Content)`
  position: fixed;
  z-index: ${({ theme }) => theme.zIndex.chat};
  inset-block-end: 24px;
  inline-size: 404px;
  block-size: min(680px, calc(100dvh - 48px));
  background: var(--surface);
  border-radius: 30px;
  box-shadow:
    var(--shadow-3),
    0 0 0 1px var(--line);
  display: flex;
  flex-direction: column;
  overflow: hidden;
  animation: ${fadeUp} var(--base) var(--ease);
  [dir='rtl'] & {
    inset-inline-end: 24px;
    border-end-end-radius: 9px;
  }
  [dir='ltr'] & {
    inset-inline-start: 24px;
    border-end-start-radius: 9px;
  }
  &:focus {
    outline: 0;
  }
  ${({ theme }) => theme.media.phone} {
    block-size: 100dvh;
    inline-size: 100%;
    box-shadow: none;
    [dir] & {
      inset: 0;
      border-radius: 0;
    }
  }
`;

export const PanelHeader = styled.header`
  background: var(--panel);
  color: var(--on-violet);
  display: flex;
  gap: 14px;
  align-items: center;
  padding: 16px 18px;
  > div {
    flex: 1;
    display: flex;
    gap: 10px;
    align-items: center;
    flex-wrap: wrap;
  }
  > button {
    color: inherit;
    margin: -4px;
    &:hover {
      color: inherit;
      background: color-mix(in srgb, var(--on-violet) 14%, transparent);
    }
    &:focus-visible {
      outline-color: var(--on-violet);
    }
  }
`;

export const Title = styled.h2`
  font-weight: 700;
  line-height: 1.5;
  ${textSize('18px', '16px')}
`;

export const PanelAvatar = styled(Glyph)`
  inline-size: 44px;
  block-size: 44px;
  padding: 6px 8px 10px;
  border-radius: 50%;
  border-end-start-radius: 14%;
  background: var(--on-violet);
  color: var(--hero-bowl);
  flex: none;
`;

export const Credit = styled.p`
  ${textSize('14.5px', '13px')}
  color: var(--ink-2);
  background: var(--sunken);
  padding: 6px 18px;
  display: flex;
  gap: 12px;
  justify-content: space-between;
`;

export const Portfolio = styled.a`
  color: var(--violet-text);
  font-weight: 700;
  border-block-end: 1px solid color-mix(in srgb, var(--violet-text) 40%, transparent);
  :lang(en) & {
    font-weight: 600;
  }
`;
