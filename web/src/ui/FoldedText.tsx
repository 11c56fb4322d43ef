import { type ComponentProps, useId, useRef, useState } from 'react';
import { css, styled } from 'styled-components';
import { useTranslation } from '../i18n/index.js';
import { Button } from './Button.js';
import { useOverflow } from './use-overflow.js';

/** Higher than the longest message on a phone, unless that has short lines. */
const LINES = 20;

/** Hides the end of a very tall text until asked. */
export function FoldedText({ children, ...rest }: ComponentProps<'p'>) {
  const { t } = useTranslation();
  const id = useId();
  const text = useRef<HTMLParagraphElement>(null);
  const [isOpen, setOpen] = useState(false);

  const isTall = useOverflow(text, !isOpen);

  return (
    <>
      <Foldable {...rest} ref={text} id={id} $folded={!isOpen}>
        {children}
      </Foldable>
      {isTall && (
        <More
          size="sm"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => {
            setOpen(!isOpen);
            // Scroll back: the part that was read is gone.
            if (isOpen) text.current?.scrollIntoView({ block: 'nearest' });
          }}
        >
          {t(isOpen ? 'common.message.less' : 'common.message.more')}
        </More>
      )}
    </>
  );
}

const Foldable = styled.p<{ $folded: boolean }>`
  ${({ $folded }) =>
    $folded &&
    css`
      display: -webkit-box;
      -webkit-box-orient: vertical;
      -webkit-line-clamp: ${LINES};
      overflow: hidden;
    `}
`;

const More = styled(Button)`
  margin-block-start: 10px;
`;
