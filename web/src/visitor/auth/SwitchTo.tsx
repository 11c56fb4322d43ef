import type { ReactNode } from 'react';
import { SwitchLink } from './form-parts.js';

interface Props {
  /** Address for browsers without scripts. */
  page: string;
  onSwitch: () => void;
  children: ReactNode;
}

export function SwitchTo({ page, onSwitch, children }: Props) {
  return (
    <SwitchLink
      href={page}
      onClick={(event) => {
        event.preventDefault();
        onSwitch();
      }}
    >
      {children}
    </SwitchLink>
  );
}
