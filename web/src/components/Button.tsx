import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { styled } from 'styled-components';
import { Link } from '../app/navigation.js';
import { type ButtonLook, type ButtonSize, buttonStyle, type ButtonVariant } from './button-style.js';
import { LoadingDots } from './StatusDot.js';

interface StyleProps {
  variant?: ButtonVariant;
  size?: ButtonSize;
  block?: boolean;
}

interface ButtonProps extends StyleProps, ComponentProps<'button'> {
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
  const isBusy = busy !== undefined;
  return (
    <ButtonElement
      {...rest}
      type={type}
      disabled={!isBusy && disabled}
      aria-disabled={isBusy || rest['aria-disabled']}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? preventClick : onClick}
      $variant={variant}
      $size={size}
      $block={block}
    >
      {isBusy ? (
        <BusyLabel>
          <HiddenLabel aria-hidden="true">{children}</HiddenLabel>
          <span>
            <LoadingDots />
            {busy}
          </span>
        </BusyLabel>
      ) : (
        <Label>{children}</Label>
      )}
    </ButtonElement>
  );
}

/** Also stops the form from being submitted. */
const preventClick = (event: MouseEvent) => {
  event.preventDefault();
};

interface ButtonLinkProps extends StyleProps {
  to: string;
  onClick?: (event: MouseEvent) => void;
  children: ReactNode;
}

export function ButtonLink({ variant = 'secondary', size = 'md', block = false, ...rest }: ButtonLinkProps) {
  return <LinkElement {...rest} $variant={variant} $size={size} $block={block} />;
}

/** Leads out of the client, such as to an app of the device. */
export function AnchorButton({
  variant = 'secondary',
  size = 'md',
  block = false,
  ...rest
}: StyleProps & ComponentProps<'a'>) {
  return <AnchorElement {...rest} $variant={variant} $size={size} $block={block} />;
}

const ButtonElement = styled.button<ButtonLook>`
  ${buttonStyle}
`;

const AnchorElement = styled.a<ButtonLook>`
  ${buttonStyle}
`;

const LinkElement = styled(Link)<ButtonLook>`
  ${buttonStyle}
`;

/* Both labels share one grid cell, so that the button keeps its width while it is busy. */
const BusyLabel = styled.span`
  display: inline-grid;
  place-items: center;
  > span {
    grid-area: 1 / 1;
    display: inline-flex;
    align-items: center;
    gap: 8px;
  }
`;

/* A page translator replaces texts by elements of its own, and React cannot remove a text that is no longer there. */
const Label = styled.span`
  display: contents;
`;

const HiddenLabel = styled.span`
  visibility: hidden;
`;
