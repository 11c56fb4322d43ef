import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { styled } from 'styled-components';
import { Link } from './navigation.js';
import { type ButtonLook, type ButtonSize, buttonStyle, type ButtonVariant } from './button-style.js';
import { LoadingDots } from './StatusDot.js';

interface StyleProps {
  variant?: ButtonVariant;
  size?: ButtonSize;
  block?: boolean;
}

interface ButtonProps extends StyleProps, ComponentProps<'button'> {
  /** Shows dots and this label and ignores clicks. Keeps the focus, unlike `disabled`. */
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

/** Also prevents the form's submission. */
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

/** Leads out of the client, such as to an app. */
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

/* Both labels share a grid cell, so that the width stays. */
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

/* Page translators replace text nodes, and React cannot remove one that is gone. */
const Label = styled.span`
  display: contents;
`;

const HiddenLabel = styled.span`
  visibility: hidden;
`;
