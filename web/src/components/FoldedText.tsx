import { type ComponentProps, useId, useLayoutEffect, useRef, useState } from 'react';
import { css, styled } from 'styled-components';
import { useTranslation } from '../i18n/index.js';
import { Button } from './Button.js';

/** More than a message of the greatest length takes on a phone, unless it consists of short lines. */
const LINES = 20;

/** A text whose end is hidden, if it is very tall, until somebody asks for it. */
export function FoldedText({ children, ...rest }: ComponentProps<'p'>) {
  const { t } = useTranslation();
  const id = useId();
  const text = useRef<HTMLParagraphElement>(null);
  const [isTall, setTall] = useState(false);
  const [isOpen, setOpen] = useState(false);

  useLayoutEffect(() => {
    const { current } = text;
    if (current === null || isOpen) return;
    const measure = () => {
      setTall(current.scrollHeight > current.clientHeight + 1);
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(current);
    return () => {
      resized.disconnect();
    };
  }, [isOpen]);

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
            // The end of the text, from where it was closed, is gone.
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
