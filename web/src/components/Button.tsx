import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { buttonStyle, type ButtonLook, type ButtonSize, type ButtonVariant } from './button-style.js';
import { Dots } from './Dots.js';

interface Look {
  variant?: ButtonVariant;
  size?: ButtonSize;
  block?: boolean;
}

interface ButtonProps extends Look, ComponentProps<'button'> {
  /**
   * While set, the button shows dots and this label and ignores clicks. It keeps the focus, unlike a disabled button.
   */
  busy?: string | undefined;
  children: ReactNode;
}

export function Button({
  variant = 'secondary',
  size = 'md',
  block = false,
  busy,
  children,
  disabled,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const waiting = busy !== undefined;
  return (
    <Pressed
      {...rest}
      type={type}
      disabled={!waiting && disabled}
      aria-disabled={waiting || undefined}
      aria-busy={waiting || undefined}
      onClick={waiting ? refuse : onClick}
      $variant={variant}
      $size={size}
      $block={block}
    >
      {waiting ? (
        <Waiting>
          <Kept aria-hidden="true">{children}</Kept>
          <span>
            <Dots />
            {busy}
          </span>
        </Waiting>
      ) : (
        children
      )}
    </Pressed>
  );
}

/** Also stops the form from being submitted. */
const refuse = (event: MouseEvent) => {
  event.preventDefault();
};

interface ButtonLinkProps extends Look {
  to: string;
  children: ReactNode;
}

export function ButtonLink({ variant = 'secondary', size = 'md', block = false, ...rest }: ButtonLinkProps) {
  return <PressedLink {...rest} $variant={variant} $size={size} $block={block} />;
}

const Pressed = styled.button<ButtonLook>`
  ${buttonStyle}
`;

const PressedLink = styled(Link)<ButtonLook>`
  ${buttonStyle}
`;

/* Both labels share one grid cell, so that the button keeps its width while it is busy. */
const Waiting = styled.span`
  display: inline-grid;
  place-items: center;
  > span {
    grid-area: 1 / 1;
    display: inline-flex;
    align-items: center;
    gap: 8px;
  }
`;

const Kept = styled.span`
  visibility: hidden;
`;
