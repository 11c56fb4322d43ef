import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.js';
import { css, keyframes, styled } from 'styled-components';
import { textSize } from '../theme/index.js';
import { Icon } from './Icon.js';
import { IconButtonBase } from './IconButton.js';
import { Note } from './Note.js';
import { useCloseRequest } from './use-close-request.js';
import { useFocusReturn } from './use-focus-return.js';

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: string;
  children: ReactNode;
}

export function Dialog({ open, onClose, title, description, children }: Props) {
  const { t } = useTranslation();
  const returnFocus = useFocusReturn(open);
  useCloseRequest(open, onClose);
  return (
    <Radix.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Radix.Portal>
        <Overlay>
          <Panel
            data-sheet
            onCloseAutoFocus={returnFocus}
            {...(description === undefined && { 'aria-describedby': undefined })}
          >
            <DialogHeader>
              <div>
                <Radix.Title asChild>
                  <DialogTitle>{title}</DialogTitle>
                </Radix.Title>
                {description !== undefined && (
                  <Radix.Description asChild>
                    <Note>{description}</Note>
                  </Radix.Description>
                )}
              </div>
              <Radix.Close asChild>
                <Close aria-label={t('common.action.close')}>
                  <Icon of={X} />
                </Close>
              </Radix.Close>
            </DialogHeader>
            {children}
          </Panel>
        </Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}

const fadeIn = keyframes`
  from { opacity: 0; }
`;

const fadeUp = keyframes`
  from { opacity: 0; translate: 0 8px; }
`;

const slideUp = keyframes`
  from { translate: 0 100%; }
`;

export const overlay = css`
  position: fixed;
  inset: 0;
  z-index: ${({ theme }) => theme.zIndex.dialog};
  background: var(--scrim);
  display: grid;
  place-items: center;
  padding: 24px;
  overflow: auto;
  animation: ${fadeIn} var(--base) var(--ease);
  ${({ theme }) => theme.media.phone} {
    place-items: end center;
    padding: 0;
  }
`;

export const panel = css`
  background: var(--surface);
  ${({ theme }) => theme.bubble.dialog}
  inline-size: 100%;
  max-inline-size: 520px;
  padding: 28px;
  box-shadow: var(--shadow-3);
  position: relative;
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 18px;
  animation: ${fadeUp} var(--base) var(--ease);
  &:focus {
    outline: 0;
  }
  ${({ theme }) => theme.media.phone} {
    border-radius: 28px 28px 0 0;
    padding: 24px 20px 28px;
    max-inline-size: none;
    animation-name: ${slideUp};
  }
`;

const Overlay = styled(Radix.Overlay)`
  ${overlay}
`;

const Panel = styled(Radix.Content)`
  ${panel}
`;

const DialogHeader = styled.div`
  display: flex;
  justify-content: space-between;
  gap: 16px;
  align-items: flex-start;
`;

export const DialogTitle = styled.h2`
  ${textSize('22px', '20px')}
`;

export const DialogActions = styled.div`
  display: flex;
  gap: 10px;
  justify-content: flex-end;
  flex-wrap: wrap;
  ${({ theme }) => theme.media.phone} {
    > button {
      flex: 1;
    }
  }
`;

const Close = styled(IconButtonBase)`
  margin: -8px;
`;
